// Draws scenes with libraries of JavaScript: node node.mjs LIBRARY SCENE.json OUT.pdf FONT SPECIAL
import { createRequire } from "node:module";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
const require = createRequire(process.env.CORPUS_NODE + "/");
const [library, scenePath, out, font, special] = process.argv.slice(2);
const scene = JSON.parse(readFileSync(scenePath));
const PT = 72 / 25.4;

function draw(painter, ops) {
    for (const [name, ...values] of ops) painter[name](...values);
}

function pdfkit() {
    const PDFDocument = require("pdfkit");
    const options = { autoFirstPage: false, info: { Title: "Lantern", CreationDate: new Date(0), ModDate: new Date(0) } };
    if (special === "locked") Object.assign(options, { ownerPassword: "owner", pdfVersion: "1.4" });
    if (special === "newer") options.pdfVersion = "1.7ext3";
    const doc = new PDFDocument(options);
    doc.pipe(createWriteStream(out));
    doc.registerFont("R", font);
    doc.addSpotColor("Foil", 10, 30, 80, 0);
    const hue = (c) => (c.length === 4 ? c.map((v) => v * 100) : c.map((v) => v * 255));
    for (const page of scene.pages) {
        doc.addPage({ size: page.size.map((v) => v * PT), margin: 0 });
        doc.page.dictionary.data.TrimBox = page.trim.map((v) => v * PT);
        doc.page.dictionary.data.BleedBox = page.bleed.map((v) => v * PT);
        const high = page.size[1];
        const y = (v) => (high - v) * PT;
        const painter = {
            rect: (c, x, b, w, h) => doc.rect(x * PT, y(b + h), w * PT, h * PT).fill(c === null ? "Foil" : hue(c)),
            line: (c, wide, x0, y0, x1, y1) => doc.lineWidth(wide * PT).moveTo(x0 * PT, y(y0)).lineTo(x1 * PT, y(y1)).stroke(hue(c)),
            text: (c, size, x, b, words, mode, wide) => {
                doc.font("R").fontSize(size).lineWidth((wide || 1) * PT).fillColor(hue(c)).strokeColor(hue(c));
                doc.text(words, x * PT, y(b), { lineBreak: false, baseline: "alphabetic", stroke: mode === "stroke", fill: mode !== "stroke" });
            },
            image: (x, b, w, h, file) => doc.image(file, x * PT, y(b + h), { width: w * PT, height: h * PT }),
            alpha: (share, ops) => { doc.save().fillOpacity(share); draw(painter, ops); doc.restore(); },
            scaled: (sx, sy, ops) => {
                doc.save().transform(sx, 0, 0, sy, 0, high * PT * (1 - sy)); draw(painter, ops); doc.restore();
            },
            ink: (name, tint, ops) => draw(painter, ops),
        };
        draw(painter, page.ops);
        if (page === scene.pages[0]) {
            if (special === "viewers-font") doc.font("Helvetica").fontSize(9).fillColor([0, 0, 0, 100]).text("of the viewer", 50, 120, { lineBreak: false });
            if (special === "note") doc.note(40, 40, 20, 20, "mind the edge");
            if (special === "attachment") doc.file(Buffer.from("prices"), { name: "prices.txt", creationDate: new Date(0), modifiedDate: new Date(0) });
            if (special === "gradient") {
                const fade = doc.linearGradient(50, 50, 120, 50).stop(0, [10, 20, 0, 0]).stop(1, [60, 0, 0, 0]);
                doc.rect(50, 50, 70, 30).fill(fade);
            }
            if (special === "gradient-of-light") {
                const fade = doc.linearGradient(50, 50, 120, 50).stop(0, [255, 0, 0]).stop(1, [0, 0, 255]);
                doc.rect(50, 50, 70, 30).fill(fade);
            }
            if (special === "script") doc._root.data.OpenAction = doc.ref({ S: "JavaScript", JS: new String("app.beep()") });
        }
    }
    for (const ref of [doc._root.data.OpenAction]) if (ref) ref.end();
    doc.end();
}

async function pdflib() {
    const { PDFDocument, StandardFonts, cmyk, rgb, degrees, BlendMode, TextRenderingMode, PDFName, setTextRenderingMode,
        setLineWidth, pushGraphicsState, popGraphicsState, concatTransformationMatrix } = require("pdf-lib");
    const doc = await PDFDocument.create();
    doc.registerFontkit(require("@pdf-lib/fontkit"));
    doc.setTitle("Lantern");
    doc.setCreationDate(new Date(0));
    doc.setModificationDate(new Date(0));
    const face = await doc.embedFont(readFileSync(font), { subset: true });
    const hue = (c) => (c.length === 4 ? cmyk(...c) : rgb(...c));
    for (const said of scene.pages) {
        const page = doc.addPage(said.size.map((v) => v * PT));
        const box = ([l, b, r, t]) => [l * PT, b * PT, (r - l) * PT, (t - b) * PT];
        page.setTrimBox(...box(said.trim));
        page.setBleedBox(...box(said.bleed));
        let opacity;
        const painter = {
            rect: (c, x, y, w, h) => page.drawRectangle({ x: x * PT, y: y * PT, width: w * PT, height: h * PT, color: hue(c), opacity }),
            line: (c, wide, x0, y0, x1, y1) => page.drawLine({ start: { x: x0 * PT, y: y0 * PT }, end: { x: x1 * PT, y: y1 * PT }, thickness: wide * PT, color: hue(c) }),
            text: (c, size, x, y, words) => page.drawText(words, { x: x * PT, y: y * PT, size, font: face, color: hue(c) }),
            image: (x, y, w, h, picture) => page.drawImage(picture, { x: x * PT, y: y * PT, width: w * PT, height: h * PT }),
            alpha: (share, ops) => { opacity = share; draw(painter, ops); opacity = undefined; },
            turned: (angle, x, y, ops) => { for (const [, c, size, , , words] of ops) page.drawText(words, { x: x * PT, y: y * PT, size, font: face, color: hue(c), rotate: degrees(angle) }); },
            scaled: (sx, sy, ops) => {
                page.pushOperators(pushGraphicsState(), concatTransformationMatrix(sx, 0, 0, sy, 0, 0));
                draw(painter, ops);
                page.pushOperators(popGraphicsState());
            },
        };
        for (const op of said.ops) if (op[0] === "image") op[5] = await doc.embedPng(readFileSync(op[5]));
        draw(painter, said.ops);
        if (said === scene.pages[0]) {
            if (special === "viewers-font") page.drawText("of the viewer", { x: 50, y: 120, size: 9, font: await doc.embedFont(StandardFonts.TimesRoman), color: cmyk(0, 0, 0, 1) });
            if (special === "multiply") page.drawRectangle({ x: 50, y: 50, width: 40, height: 40, color: cmyk(0.2, 0, 0, 0), blendMode: BlendMode.Multiply });
            if (special === "path") page.drawSvgPath("M 0,0 Q 40,40 80,0 Z", { x: 50, y: 120, color: cmyk(0.1, 0.4, 0, 0) });
            if (special === "form-field") doc.getForm().createTextField("name").addToPage(page, { x: 40, y: 60 });
            if (special === "crop-in-trim") page.setCropBox(30, 30, 130, 200);
        }
    }
    if (special === "script") doc.addJavaScript("main", "app.beep()");
    if (special === "attachment") await doc.attach(Buffer.from("prices"), "prices.txt", { mimeType: "text/plain" });
    writeFileSync(out, await doc.save({ useObjectStreams: special !== "plain" }));
}

function jspdf() {
    const { jsPDF, GState } = require("jspdf");
    const first = scene.pages[0].size;
    const doc = new jsPDF({ unit: "mm", format: first, compress: true });
    doc.setCreationDate("D:19700101000000+00'00'");
    doc.addFileToVFS("R.ttf", readFileSync(font).toString("base64"));
    doc.addFont("R.ttf", "R", "normal");
    scene.pages.forEach((page, number) => {
        if (number) doc.addPage(page.size);
        const high = page.size[1];
        const painter = {
            rect: (c, x, y, w, h) => { doc.setFillColor(...c.map((v) => (c.length === 4 ? v : v * 255))); doc.rect(x, high - y - h, w, h, "F"); },
            line: (c, wide, x0, y0, x1, y1) => { doc.setDrawColor(...c.map((v) => (c.length === 4 ? v : v * 255))); doc.setLineWidth(wide); doc.line(x0, high - y0, x1, high - y1); },
            text: (c, size, x, y, words, mode, wide) => {
                doc.setFont("R"); doc.setFontSize(size); doc.setTextColor(...c.map((v) => (c.length === 4 ? v : v * 255)));
                doc.setDrawColor(...c.map((v) => (c.length === 4 ? v : v * 255)));
                doc.setLineWidth(wide || 1);
                doc.text(words, x, high - y, { renderingMode: mode || "fill" });
            },
            image: (x, y, w, h, file) => doc.addImage(readFileSync(file).toString("base64"), "PNG", x, high - y - h, w, h),
            alpha: (share, ops) => { doc.saveGraphicsState(); doc.setGState(new GState({ opacity: share })); draw(painter, ops); doc.restoreGraphicsState(); },
        };
        draw(painter, page.ops);
        if (!number && special === "viewers-font") { doc.setFont("courier"); doc.setFontSize(9); doc.text("of the viewer", 15, 60); }
        if (!number && special === "link") doc.link(15, 20, 20, 10, { url: "https://example.org" });
        if (!number && special === "auto-print") doc.autoPrint({ variant: "javascript" });
    });
    writeFileSync(out, Buffer.from(doc.output("arraybuffer")));
}

await { pdfkit, pdflib, jspdf }[library]();
