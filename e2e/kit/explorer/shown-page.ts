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
  private provoked: RegExp[] = [];

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
    // Of this view alone: the page goes on asking after the test has read its complaints, until the next one leaves it.
    const provoked: RegExp[] = (this.provoked = []);
    const complain = (text: string): void => {
      if (!provoked.some((pattern) => pattern.test(text))) this.found.push(text);
    };
    page.on('console', (message) => {
      if (message.type() === 'error') complain(`${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => complain(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${this.url}/`)) complain(`asks ${request.url()}`);
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

  /** Says which complaints the test provokes: those before and after in this view are not reported. */
  provokes(pattern: RegExp): void {
    this.provoked.push(pattern);
    this.found = this.found.filter((text) => !pattern.test(text));
  }

  /**
   * What was wrong since the last call: errors on the console and of scripts, answers that are no success, requests to
   * other origins.
   */
  complaints(): string[] {
    const found = this.found;
    this.found = [];
    return found;
  }
}
