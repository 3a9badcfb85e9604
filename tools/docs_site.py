"""Build the documentation as a website with a search box.

`python -m tools.docs_site` writes output/docs/.

The pages are the Markdown files of the repository. They are copied to a temporary folder in the
same tree, so that their links stay valid. Links to files that are no pages become plain text.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "output" / "docs"
GUIDES = ("players", "publishers", "maintainers", "game-authors", "hosting")
REFERENCE = (
    "formats",
    "rules",
    "tables",
    "imports",
    "products",
    "templates",
    "layouts",
    "gauges",
    "press",
    "engines",
    "seal",
    "architecture",
)
OTHER_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
FENCE_PATTERN = re.compile(r"^```(\w+) .+$", re.MULTILINE)
LINK_PATTERN = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:\s]+)(#[^)]*)?\)")
CONFIG = """[project]
site_name = "Squadpress"
site_description = "Build legal squads and print cards for tabletop skirmish games."
docs_dir = "pages"
site_dir = "site"
use_directory_urls = false
nav = [
{nav}
]

[project.theme]
font = false
"""


def write_config(folder: Path) -> Path:
    """Write the configuration with the navigation. Return its path."""
    guides = ", ".join(f'"docs/{name}.md"' for name in GUIDES)
    reference = ", ".join(f'"docs/{name}.md"' for name in REFERENCE)
    other = ", ".join(f'"{name}"' for name in OTHER_PAGES)
    nav = (
        '  {"Squadpress" = "index.md"},\n'
        f'  {{"Guides" = [{guides}]}},\n'
        '  {"Glossary" = "docs/glossary.md"},\n'
        f'  {{"Reference" = [{reference}]}},\n'
        f'  {{"Project" = [{other}]}},'
    )
    path = folder / "zensical.toml"
    path.write_text(CONFIG.format(nav=nav), encoding="utf-8")
    return path


def copy_pages(folder: Path) -> None:
    """Copy the pages and their pictures. The README becomes the first page."""
    shutil.copytree(ROOT / "docs", folder / "docs")
    for name in OTHER_PAGES:
        shutil.copy2(ROOT / name, folder / name)
    shutil.copy2(ROOT / "README.md", folder / "index.md")
    for page in folder.rglob("*.md"):
        text = FENCE_PATTERN.sub(
            r"```\1", rewrite_links(page)
        )  # "yaml rule" is a word for the tests
        page.write_text(text, encoding="utf-8")


def rewrite_links(page: Path) -> str:
    """Return the text of a page with its links changed.

    A link to the README leads to the first page. A link to a file that is no page becomes its text.
    """

    def rewrite(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        if target.endswith("README.md"):
            return f"[{text}]({target.removesuffix('README.md')}index.md{anchor})"
        return link[0] if (page.parent / target).is_file() else text

    return LINK_PATTERN.sub(rewrite, page.read_text(encoding="utf-8"))


def build_site() -> None:
    """Build the website. Raise CalledProcessError if a page or a link is missing."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        copy_pages(folder / "pages")
        config = write_config(folder)
        command = [
            sys.executable,
            "-m",
            "zensical",
            "build",
            "--strict",
            "--config-file",
            str(config),
        ]
        subprocess.run(command, cwd=folder, check=True)
        shutil.rmtree(SITE, ignore_errors=True)
        shutil.copytree(folder / "site", SITE)
    print(f"open {SITE / 'index.html'}")


if __name__ == "__main__":
    build_site()
