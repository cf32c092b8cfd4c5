import { type ErrorKind, httpStatusOfKind, ServiceError } from '@shardnode/core/errors';
import { errorHeaders } from '@shardnode/core/http-server';
import { type HandedAnswer, type HandedRequest } from '@shardnode/core/service';
import { type EventLog } from '../cluster/event-log.js';
import { type SimulatedGateway } from '../cluster/simulated-gateway.js';
import { type VirtualTime } from '../virtual-time/index.js';
import { isRefusal, persist } from './careful-client.js';

/** Virtual milliseconds after which the silence of a running gateway is a defect: twice the longest deadline. */
const longestSilence = 120_000;

/** False for no response, or a temporary one: 429 and 503, and a lost connection. */
const isAnswer = (error: unknown): boolean => isRefusal(error) && error.kind !== 'throttled';

const codeHeader = errorHeaders.code.name.toLowerCase();

const kindOf = (status: number): ErrorKind => {
  const [kind] = Object.entries(httpStatusOfKind).find(([, its]) => its === status) ?? ['broken'];
  return kind as ErrorKind;
};

const errorOf = ({ status, headers, text }: HandedAnswer): ServiceError => {
  const { detail = text } = JSON.parse(text) as { readonly detail?: string };
  return new ServiceError(kindOf(status), String(headers[codeHeader]), detail);
};

/** Integers that a double would round are read as texts. */
const read = (text: string): unknown =>
  text === '' ? undefined : JSON.parse(text.replaceAll(/:(\d{16,})(?=[,}])/g, ':"$1"'));

/** A client of the gateway. A refusal is the ServiceError of its response. */
export class HttpClient {
  /** Requests with a response, of any kind. */
  answers = 0;

  constructor(
    private readonly gateway: SimulatedGateway,
    private readonly time: VirtualTime,
    private readonly log: EventLog,
  ) {}

  /** Sends one request. @throws ServiceError, ConnectionLost */
  async once<Answer>(method: HandedRequest['method'], url: string, body?: object): Promise<Answer> {
    const silence = this.time.sleep(longestSilence).then(() => {
      throw new ServiceError('broken', 'Silence', `no answer for ${longestSilence} ms`);
    });
    const answer = await Promise.race([this.gateway.answer({ method, url, body }), silence]);
    const { status, text } = answer;
    this.answers += 1;
    if (status === 200) {
      this.log.add('http', method, url, text);
      return read(text) as Answer;
    }
    const error = errorOf(answer);
    this.log.add('http', method, url, status, error.code);
    throw error;
  }

  /** Repeats the request until there is a response. */
  ask<Answer>(method: HandedRequest['method'], url: string, body?: object): Promise<Answer> {
    return persist(this.time, () => this.once<Answer>(method, url, body), isAnswer);
  }
}
