import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterEach, beforeAll, expect } from "vitest";
import type { FinalDocument } from "../../src/client/index.js";
import { findChromium } from "./find-chromium.js";
import type { FollowOptions, PageGlobals } from "./page/page-api.js";

const FLAGS = ["--disable-gpu", "--disable-quic", "--disable-sync"];

let browser: Browser;
const contexts: BrowserContext[] = [];
const errors: Error[] = [];

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: findChromium(process.env), args: FLAGS });
  return () => browser.close();
});

afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
  expect(errors.splice(0)).toEqual([]);
});

/** The page in a browser's profile of its own. Whatever goes wrong in it unheard fails the test. */
export class Tab {
  private constructor(private readonly page: Page) {}

  static async open(origin: string): Promise<Tab> {
    const context = await browser.newContext();
    contexts.push(context);
    const page = await context.newPage();
    page.on("pageerror", (error) => errors.push(error));
    await page.goto(origin);
    return new Tab(page);
  }

  async follow(options: FollowOptions): Promise<this> {
    await this.page.evaluate((given) => (globalThis as unknown as PageGlobals).agentwirePage.follow(given), options);
    return this;
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  /** Resolves when so many blocks have been shown, with the id of the last. */
  async block(count: number): Promise<string> {
    const item = this.page.locator("#blocks li").nth(count - 1);
    await item.waitFor();
    return (await item.getAttribute("id")) ?? "";
  }

  /** What waits, as a person sees it. */
  blocks(): Promise<string[]> {
    return this.page.locator("#blocks li").allTextContents();
  }

  /** Presses "Allow"; resolves with what came of it. */
  async allow(blockID: string): Promise<string> {
    const item = this.page.locator(`#${blockID}`);
    await item.getByRole("button", { name: "Allow" }).click();
    return seen(item.locator("output"));
  }

  refusal(): Promise<string> {
    return seen(this.page.getByRole("alert"));
  }

  async connectionSays(text: string): Promise<void> {
    await this.page.locator("#connection").filter({ hasText: text }).waitFor();
  }

  documentWhenTitled(title: string): Promise<FinalDocument> {
    return this.page.evaluate(
      (given) => (globalThis as unknown as PageGlobals).agentwirePage.documentWhenTitled(given),
      title,
    );
  }
}

/** The text of an element, once it has one. */
async function seen(element: ReturnType<Page["locator"]>): Promise<string> {
  await element.filter({ hasText: /./ }).waitFor();
  return (await element.textContent()) ?? "";
}
