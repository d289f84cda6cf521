import { readFileSync, writeFileSync } from "node:fs";
import { renderMatrix } from "./matrix.js";

const BEGIN = "<!-- matrix -->";
const END = "<!-- /matrix -->";

const readme = readFileSync("README.md", "utf8");
const begin = readme.indexOf(BEGIN);
const end = readme.indexOf(END);
if (begin < 0 || end < begin) throw new Error(`README.md has no ${BEGIN} … ${END}`);
writeFileSync("README.md", `${readme.slice(0, begin + BEGIN.length)}\n${renderMatrix()}\n${readme.slice(end)}`);
