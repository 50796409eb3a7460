#!/usr/bin/env python3
"""Builds the fonts that pkg/adapter/pdf embeds. Run it only to change them; its output is committed.

    apt-get install fonttools python3-brotli fonts-noto-core    # once
    (cd web && npm ci)                                          # the source of Figtree
    python3 scripts/fonts/build.py                              # with the Python that has fonttools

Figtree, the typeface of the site, comes in two static weights and two sizes of character set: the small one is
embedded in nearly every document, the wide one only where a name needs it. Digits are the tabular ones, so that
columns of amounts line up. Noto Sans covers the scripts of India (and a few more) for names in them; its layout
tables stay, because those scripts need shaping.
"""

import io
import shutil
from pathlib import Path

from fontTools import subset
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.ttLib.scaleUpem import scale_upem
from fontTools.varLib import instancer

ROOT = Path(__file__).resolve().parents[2]
FIGTREE = ROOT / "web/node_modules/@fontsource-variable/figtree"
NOTO = Path("/usr/share/fonts/truetype/noto")
OUT = ROOT / "pkg/adapter/pdf/fonts"

ASCII = list(range(0x20, 0x7F))
PUNCTUATION = [ord(c) for c in "₹–—·•‘’“”×…−"]
WIDE = list(range(0xA0, 0x180)) + [0x218, 0x219, 0x21A, 0x21B]

# The first font that has every character of a word draws it.
FALLBACKS = {
    "NotoSans": [(0x20, 0x24F), (0x300, 0x36F), (0x370, 0x3FF), (0x400, 0x52F), (0x1E00, 0x1EFF), (0x2000, 0x206F),
                 (0x20A0, 0x20BF), (0x2100, 0x214F), (0x2190, 0x2193), (0x2212, 0x2212), (0x25CC, 0x25CC)],
    "NotoSansDevanagari": [(0x900, 0x97F), (0xA8E0, 0xA8FF), (0x1CD0, 0x1CFF)],
    "NotoSansBengali": [(0x980, 0x9FF)],
    "NotoSansGurmukhi": [(0xA00, 0xA7F)],
    "NotoSansGujarati": [(0xA80, 0xAFF)],
    "NotoSansOriya": [(0xB00, 0xB7F)],
    "NotoSansTamil": [(0xB80, 0xBFF)],
    "NotoSansTelugu": [(0xC00, 0xC7F)],
    "NotoSansKannada": [(0xC80, 0xCFF)],
    "NotoSansMalayalam": [(0xD00, 0xD7F)],
    "NotoSansArabic": [(0x600, 0x6FF), (0x750, 0x77F)],
    "NotoSansHebrew": [(0x590, 0x5FF)],
    "NotoSansOlChiki": [(0x1C50, 0x1C7F)],
    "NotoSansMeeteiMayek": [(0xABC0, 0xABFF), (0xAAE0, 0xAAFF)],
}
SHARED = [(0x20, 0x7E), (0x964, 0x965), (0x200C, 0x200D), (0x25CC, 0x25CC)]


def instance(weight: int) -> TTFont:
    parts = []
    for charset in ("latin", "latin-ext"):
        font = TTFont(FIGTREE / f"files/figtree-{charset}-wght-normal.woff2")
        font.flavor = None
        if charset == "latin":
            tabular = digits(font)
        font = instancer.instantiateVariableFont(font, {"wght": weight})
        if charset == "latin":
            for table in font["cmap"].tables:
                for code, glyph in list(table.cmap.items()):
                    table.cmap[code] = tabular.get(glyph, glyph)
        for tag in ("GSUB", "GPOS", "GDEF", "STAT", "HVAR", "MVAR", "avar", "gasp", "prep", "DSIG"):
            if tag in font:
                del font[tag]
        part = io.BytesIO()
        font.save(part)
        part.seek(0)
        parts.append(part)
    merged = io.BytesIO()
    Merger().merge(parts).save(merged)
    merged.seek(0)
    return TTFont(merged)


def digits(font: TTFont) -> dict:
    """The tabular form of each proportional glyph."""
    gsub = font["GSUB"].table
    lookups = {i for r in gsub.FeatureList.FeatureRecord if r.FeatureTag == "tnum" for i in r.Feature.LookupListIndex}
    forms = {}
    for i in lookups:
        for table in gsub.LookupList.Lookup[i].SubTable:
            forms.update(getattr(table, "ExtSubTable", table).mapping)
    return forms


def cut(font: TTFont, codes, keep_layout: bool, path: Path) -> None:
    options = subset.Options()
    options.hinting = False
    options.notdef_outline = True
    options.name_IDs = [0, 13, 14] if keep_layout else []
    options.glyph_names = False
    options.layout_features = ["*"] if keep_layout else []
    if not keep_layout:
        options.drop_tables += ["OS/2", "post", "name", "GSUB", "GPOS", "GDEF"]
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    if not keep_layout:
        font["cmap"].tables = [t for t in font["cmap"].tables if (t.platformID, t.platEncID) == (3, 1)]
    if not keep_layout:
        scale_upem(font, 512)  # fine to a fiftieth of a point at ten points, and fewer bytes
    font["head"].modified = font["head"].created = 0
    font.recalcTimestamp = False
    font.save(path)
    print(f"{path.name}: {path.stat().st_size} bytes")


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    for name, weight in (("regular", 400), ("bold", 700)):
        cut(instance(weight), ASCII + PUNCTUATION, False, OUT / f"figtree-{name}-small.ttf")
        cut(instance(weight), ASCII + PUNCTUATION + WIDE, False, OUT / f"figtree-{name}-wide.ttf")
    shutil.copy(FIGTREE / "LICENSE", OUT / "LICENSE-figtree.txt")
    for name, ranges in FALLBACKS.items():
        codes = [c for first, last in ranges + SHARED for c in range(first, last + 1)]
        cut(TTFont(NOTO / f"{name}-Regular.ttf"), codes, True, OUT / f"{name}.ttf")


if __name__ == "__main__":
    main()
