import { type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';

export const screens = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  narrowest: { width: 320, height: 700 },
} as const;
export const themes = ['light', 'dark'] as const;

export type Theme = (typeof themes)[number];
type Size = { readonly width: number; readonly height: number };

/** A browser that shows one page of an explorer at a time. */
export class ShownPage {
  private found: string[] = [];
  private context: BrowserContext | undefined;
  private current: Page | undefined;

  /** @param url where the browser finds the explorer */
  constructor(
    readonly browser: Browser,
    public url: string,
  ) {}

  get page(): Page {
    return this.current!;
  }

  /** A page in a browser context of its own, in place of the one before. */
  async view(
    colorScheme: Theme = 'light',
    viewport: Size = screens.wide,
    more: BrowserContextOptions = {},
  ): Promise<Page> {
    await this.leave();
    this.context = await this.browser.newContext({ colorScheme, viewport, ...more });
    const page = await this.context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') this.found.push(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.found.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${this.url}/`)) this.found.push(`asks ${request.url()}`);
    });
    return (this.current = page);
  }

  /** Leaves the page. Handlers of routes may be waiting for an answer of the explorer then. */
  protected async leave(): Promise<void> {
    if (this.current?.isClosed() === false) await this.current.unrouteAll({ behavior: 'ignoreErrors' });
    await this.context?.close();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(`${this.url}${path}`);
    await this.page.waitForSelector('h1');
  }

  /** Goes to a page without loading it, as the browser's back button does. */
  async go(path: string): Promise<void> {
    await this.page.evaluate(
      `history.pushState({}, '', '${path}'); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
    );
  }

  /** Waits until the page follows the stream. */
  async live(): Promise<void> {
    await this.page.waitForSelector('.link.live');
  }

  /**
   * What was wrong since the last call: errors on the console and of scripts, answers that are no success, requests to
   * other origins. @param expected what the test provoked
   */
  complaints(expected?: RegExp): string[] {
    const found = this.found.filter((text) => expected?.test(text) !== true);
    this.found = [];
    return found;
  }
}
