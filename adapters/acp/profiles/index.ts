import type { Profile } from "../profile.js";
import { claude } from "./claude.js";
import { codex } from "./codex.js";
import { copilot } from "./copilot.js";
import { gemini } from "./gemini.js";
import { kimi } from "./kimi.js";
import { openclaw } from "./openclaw.js";
import { opencode } from "./opencode.js";
import { other } from "./other.js";
import { pi } from "./pi.js";
import { qwen } from "./qwen.js";

/** The agents whose ways are known, and any other. */
export const PROFILES: readonly Profile[] = [other, claude, codex, copilot, gemini, kimi, openclaw, opencode, pi, qwen];
