import { isIP, isIPv6 } from 'node:net';
import { coreError, type ServiceError } from '../errors/index.js';
import { beginningOf } from './beginning.js';

/** From where web pages may call, and by which names (decision 10). */
export interface OriginPolicy {
  /** Like `https://wallet.example`; `http://localhost:*` is any port; `*` is any page, and for public data alone. */
  readonly origins: readonly string[];
  /** Names of this server beside addresses and `localhost`, in small letters. Default: none. */
  readonly hostNames?: readonly string[];
}

/** Which requests of pages that are none of ours a route answers. */
export interface RouteOpenness {
  /** Whether `*` among the origins counts for it: its effect and its answer are public. */
  readonly toAnyOrigin: boolean;
  /** Whether a link on any site may lead a browser to it. */
  readonly toLinks: boolean;
}

/** Of a route that says nothing else. */
export const defaultOpenness: RouteOpenness = { toAnyOrigin: true, toLinks: false };

/** Parts of a request that are judged. */
export interface JudgedRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[];
}

export interface OriginVerdict {
  readonly refusal?: ServiceError;
  /** Of every answer, in small letters. */
  readonly headers: Readonly<Record<string, string>>;
}

const foreignOrigin = (origin: string | undefined): ServiceError =>
  coreError(
    'ForeignOrigin',
    origin === undefined
      ? 'A web page of another site may not make this request: list its origin in CORS_ORIGINS of the gateway, and let it send the header Origin.'
      : `A web page of the origin ${beginningOf(origin)} may not make this request: list the origin in CORS_ORIGINS of the gateway.`,
  );

const foreignHost = (host: string): ServiceError =>
  coreError(
    'ForeignHost',
    `The header Host has ${beginningOf(host)}, which is no address and no name of this service: list the name in HOST_NAMES.`,
  );

const twoHosts = coreError('MalformedRequest', 'The request has more than one header Host');

const countOf = (name: string, rawHeaders: readonly string[]): number => {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const each = rawHeaders[i]!;
    if (each.length === name.length && each.toLowerCase() === name) count += 1;
  }
  return count;
};

/** Without a port, a final dot and the brackets of an IPv6 address. */
const nameOf = (host: string): string => {
  const bracketed = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1];
  if (bracketed !== undefined) return isIPv6(bracketed) ? bracketed : host;
  return host.replace(/:\d*$/, '').replace(/\.$/, '').toLowerCase();
};

const headerOf = (name: string, { headers }: JudgedRequest): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
};

/** Whether somebody follows a link: the answer becomes a page of its own, which the page with the link cannot read. */
const isFollowedLink = (request: JudgedRequest): boolean =>
  request.method === 'GET' &&
  headerOf('sec-fetch-mode', request) === 'navigate' &&
  headerOf('sec-fetch-dest', request) === 'document';

/**
 * Whether a request may be answered, or comes from a page that is none of ours. Browsers say where a page is from (`Origin`,
 * `Sec-Fetch-Site`) and by which name it reached this server (`Host`): a name that is not ours leads here by the DNS of a
 * stranger, whose page would count as our own. Programs send neither of the first two. An empty `Host`, or none, has no name
 * to be led by.
 */
export const createOriginJudge = ({
  origins,
  hostNames = [],
}: OriginPolicy): ((request: JudgedRequest, openness: RouteOpenness) => OriginVerdict) => {
  const listed = new Set(origins);
  const names = new Set(['localhost', '', ...hostNames]);
  const isListed = (origin: string): boolean => listed.has(origin) || listed.has(origin.replace(/(?::\d+)?$/, ':*'));
  const isOurs = (host: string): boolean => {
    const name = nameOf(host);
    return names.has(name) || isIP(name) !== 0;
  };
  return (request, { toAnyOrigin, toLinks }): OriginVerdict => {
    const host = headerOf('host', request);
    if (countOf('host', request.rawHeaders) > 1) return { refusal: twoHosts, headers: {} };
    if (host !== undefined && !isOurs(host)) return { refusal: foreignHost(host), headers: {} };
    const origin = headerOf('origin', request);
    const isOpen = listed.has('*') && toAnyOrigin;
    if (origin === undefined) {
      const isForeign = headerOf('sec-fetch-site', request) === 'cross-site' && !isOpen;
      return isForeign && !(toLinks && isFollowedLink(request))
        ? { refusal: foreignOrigin(undefined), headers: {} }
        : { headers: {} };
    }
    if (isOpen) return { headers: { 'access-control-allow-origin': '*' } };
    const vary = { vary: 'Origin' };
    if (isListed(origin)) return { headers: { ...vary, 'access-control-allow-origin': origin } };
    const isSame = host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
    return isSame ? { headers: vary } : { refusal: foreignOrigin(origin), headers: vary };
  };
};
