// Writes a PDF object by object with MuPDF: mutool run mutool.js PLAN.json OUT.pdf OPTIONS
var plan = JSON.parse(read(scriptArgs[0]));
var pdf = new PDFDocument();
var known = {};

function made(value) {
    if (value === null || typeof value === "number" || typeof value === "boolean") return value;
    if (typeof value === "string") {
        if (value[0] === "/") return pdf.newName(value.substring(1));
        if (value[0] === "@") return object(value.substring(1));
        return pdf.newString(value);
    }
    if (value instanceof Array) {
        var list = pdf.newArray();
        value.forEach(function (one) { list.push(made(one)); });
        return list;
    }
    var dict = pdf.newDictionary();
    for (var key in value) dict.put(key, made(value[key]));
    return dict;
}

function object(name) {
    if (known[name]) return known[name];
    var said = plan.objects[name];
    if (said.file) return known[name] = pdf.addStream(readFile(said.file), made(said.keys));
    if (said.stream !== undefined && said.raw) return known[name] = pdf.addRawStream(said.stream, made(said.keys));
    if (said.stream !== undefined) return known[name] = pdf.addStream(said.stream, made(said.keys));
    return known[name] = pdf.addObject(made(said));
}

plan.pages.forEach(function (page) {
    var obj = pdf.addPage(page.media, 0, made(page.resources), page.content);
    for (var key in page.keys) obj.put(key, made(page.keys[key]));
    pdf.insertPage(-1, obj);
});
var trailer = pdf.getTrailer();
for (var key in plan.root) trailer.get("Root").put(key, made(plan.root[key]));
if (plan.info) trailer.put("Info", pdf.addObject(made(plan.info)));
if (plan.id) trailer.put("ID", made([plan.id, plan.id]));
pdf.save(scriptArgs[1], scriptArgs[2] || "");
