import { type Answer } from '../api-client.js';
import { type ApiDocument, endpointsOf, isEndless } from './described-api.js';
import { type FuzzRequest, type FuzzRequests } from './fuzz-requests.js';
import { type Judge } from './judge.js';

export interface FuzzRunOptions {
  readonly requests: FuzzRequests;
  readonly judge: Judge;
  /** Of the requests. */
  readonly seed: number;
  /** Requests at once. */
  readonly connections: number;
  /** Rejects when no answer comes. */
  readonly send: (request: FuzzRequest) => Promise<Answer>;
}

/** Sends made requests, and notes what is wrong with the answers. */
export class FuzzRun {
  /** Requests and answers, by what is wrong. */
  private readonly wrong = new Map<string, string[]>();
  /** Statuses by operation. */
  private readonly outcomes = new Map<string, Set<number>>();

  constructor(private readonly options: FuzzRunOptions) {}

  /** Sends the requests from number `first` on, before number `end`. */
  async send(first: number, end: number): Promise<void> {
    let next = first;
    const worker = async (): Promise<void> => {
      while (next < end) await this.tryOne(next++);
    };
    await Promise.all(Array.from({ length: this.options.connections }, worker));
  }

  /** A text for each kind of mistake, with two requests that show it. */
  findings(): string[] {
    return [...this.wrong].map(([kind, all]) => `${kind}, ${all.length} times\n  ${all.slice(0, 2).join('\n  ')}`);
  }

  /** Operations that never answered 200. */
  without200(document: ApiDocument): string[] {
    return endpointsOf(document)
      .filter((endpoint) => !isEndless(endpoint) && !this.outcomes.get(endpoint.name)?.has(200))
      .map(({ name }) => name);
  }

  private async tryOne(number: number): Promise<void> {
    const { requests, judge, send } = this.options;
    const request = requests.request(number);
    const { name } = request.endpoint;
    const note = (complaint: string, answer = ''): void => {
      const kind = `${name}: ${complaint}`;
      this.wrong.set(kind, [...(this.wrong.get(kind) ?? []), `${this.shown(request)}\n    ${answer}`]);
    };
    try {
      const answer = await send(request);
      this.outcomes.set(name, (this.outcomes.get(name) ?? new Set()).add(answer.status));
      const code = answer.headers['x-error-code'];
      for (const complaint of judge.complaints(request, answer))
        note(complaint, `${answer.status} ${String(code)} ${answer.text.slice(0, 500)}`);
    } catch (error) {
      note(String(error));
    }
  }

  private shown({ number, method, path, headers, body }: FuzzRequest): string {
    const rest = `${JSON.stringify(headers).slice(0, 500)} ${(body ?? '').slice(0, 2_000)}`;
    return `request ${number} of seed ${this.options.seed}: ${method} ${path} ${rest}`;
  }
}
