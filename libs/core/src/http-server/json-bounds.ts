import { type ServiceError, coreError } from '../errors/index.js';

/** Deeper bodies are refused, because validation is recursive. Requests of the API nest at most 10 levels. */
const maximalDepth = 64;

/**
 * A body with more values is refused before it is parsed: small values take 30 times the memory of their text. The
 * largest request of the API has some thousands.
 */
const maximalValues = 100_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openingBrace, closingBrace] = [0x7b, 0x7d];
const [openingBracket, closingBracket] = [0x5b, 0x5d];

/** @param reason the problem, as the end of a sentence */
export const invalidBody = (reason: string): ServiceError =>
  coreError('InvalidBody', `Invalid value for: body (${reason})`);

/** Scans a JSON text while it arrives. A text with too many values or levels is read no further. */
export class JsonBounds {
  private depth = 0;
  private values = 1;
  private isInString = false;
  private isEscaped = false;

  /** @param part the next bytes, in UTF-8. @throws ServiceError `InvalidBody` when the text is nested too deep or has too many values */
  add(part: Uint8Array): void {
    for (let index = 0; index < part.length; index++) {
      const code = part[index]!;
      if (this.isInString) this.addOfString(code);
      else if (code === quote) this.isInString = true;
      else if (code === openingBrace || code === openingBracket) this.open();
      else if (code === closingBrace || code === closingBracket) this.depth -= 1;
      else if (code === comma) this.count();
    }
  }

  private addOfString(code: number): void {
    if (this.isEscaped) this.isEscaped = false;
    else if (code === backslash) this.isEscaped = true;
    else if (code === quote) this.isInString = false;
  }

  private open(): void {
    this.depth += 1;
    if (this.depth > maximalDepth) throw invalidBody(`is nested deeper than ${maximalDepth} levels`);
    this.count();
  }

  private count(): void {
    this.values += 1;
    if (this.values > maximalValues) throw invalidBody(`has more than ${maximalValues} values`);
  }
}
