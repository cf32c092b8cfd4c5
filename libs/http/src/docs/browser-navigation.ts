import { type IncomingMessage } from 'node:http';

/** Weight of a media type in a header `Accept` that names it, from 0 to 1; 0 where it does not name it. */
const weightOf = (accept: string, mediaType: string): number => {
  const ranges = accept.split(',').map((range) => range.split(';').map((part) => part.trim().toLowerCase()));
  const found = ranges.find(([name]) => name === mediaType);
  if (found === undefined) return 0;
  const weight = found.find((parameter) => parameter.startsWith('q='));
  return weight === undefined ? 1 : Number(weight.slice(2));
};

/**
 * Whether a person opens an address in a browser, or a client prefers HTML to JSON. Answers that depend on it name
 * `navigationHeaders` in `Vary`.
 */
export const isNavigation = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean => {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (headers['sec-fetch-dest'] === 'document') return true;
  const { accept = '' } = headers;
  return weightOf(accept, 'text/html') > weightOf(accept, 'application/json');
};

export const navigationHeaders = ['accept', 'sec-fetch-dest'] as const;

const isDecodable = (text: string): boolean => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/**
 * The path and query by which a request is routed. The server refuses malformed escapes (`/tx/%zz`) before any hook; of a
 * navigation they are read as the text that they are, so that it gets a page.
 */
export const routedUrl = (request: IncomingMessage): string => {
  const { url = '/' } = request;
  const [path = ''] = url.split('?', 1);
  if (!isNavigation(request) || isDecodable(path)) return url;
  return `${path.replaceAll('%', '%25')}${url.slice(path.length)}`;
};
