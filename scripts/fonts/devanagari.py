#!/usr/bin/env python3
"""Builds the Devanagari font of the web client. Run it only to change it; its output is committed.

    apt-get install fonttools python3-brotli    # once
    (cd web && npm ci)                          # the source: Noto Sans Devanagari, SIL Open Font License 1.1
    python3 scripts/fonts/devanagari.py         # with the Python that has fonttools

It keeps the letters of Hindi with all of their conjuncts, in the weights that the client uses (400 to 750); Latin
letters, digits and the rupee sign are Figtree's.
"""

from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "web/node_modules/@fontsource-variable/noto-sans-devanagari/files"
OUT = ROOT / "web/src/styles/fonts/noto-sans-devanagari.woff2"

# Vowels, consonants with nukta, matras, virama, danda; joiners and the dotted circle for shaping. No Vedic signs, and
# no letters that only other languages of the script have.
HINDI = [
    *range(0x901, 0x904), *range(0x905, 0x90C), 0x90D, 0x90F, 0x910, 0x911, 0x913, 0x914, *range(0x915, 0x929),
    *range(0x92A, 0x931), 0x932, *range(0x935, 0x93A), 0x93C, 0x93D, *range(0x93E, 0x944), 0x945, 0x947, 0x948, 0x949,
    0x94B, 0x94C, 0x94D, 0x950, *range(0x958, 0x960), 0x964, 0x965, 0x970, 0x200C, 0x200D, 0x25CC,
]  # fmt: skip

font = TTFont(SOURCE / "noto-sans-devanagari-devanagari-wght-normal.woff2")
font.flavor = None
options = subset.Options(flavor="woff2", layout_features=["*"], layout_scripts=["dev2", "DFLT"], notdef_outline=True)
subsetter = subset.Subsetter(options)
subsetter.populate(unicodes=HINDI)
subsetter.subset(font)
font = instancer.instantiateVariableFont(font, {"wght": (400, 750)})
OUT.parent.mkdir(parents=True, exist_ok=True)
font.flavor = "woff2"
font.save(OUT)
print(f"{OUT.relative_to(ROOT)}: {OUT.stat().st_size} bytes")
