import { isIPv4, isIPv6 } from 'node:net';

/** The name that the parser of addresses gives a host; it writes an IPv6 address in brackets. */
const parsedHost = (text: string): string | undefined =>
  URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname : undefined;

const withoutBrackets = (text: string): string => /^\[(.*)\]$/.exec(text)?.[1] ?? text;

/** `127.0.0.1` of its mapped form `::ffff:7f00:1`: the system listens on the same interface. */
const unmapped = (address: string): string => {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low].flatMap((group) => [parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff]).join('.');
};

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const namePattern = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)*${label}$`);

/** The system reads `127.1`, `2130706433` and `0x7f.1` as IPv4 addresses. */
const isNumeric = (name: string): boolean => /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name);

/**
 * The one form of an IP address or a host name: `::1` of `[::1]` and `0:0:0:0:0:0:0:1`, IPv4 of a mapped address, a name
 * in small letters. Undefined for any other text, such as one with a port, a zone or an IPv4 address without four numbers.
 */
export const canonicalHost = (text: string): string | undefined => {
  if (isIPv4(text)) return text;
  const address = withoutBrackets(text);
  if (isIPv6(address) && !address.includes('%')) return unmapped(withoutBrackets(parsedHost(`[${address}]`)!));
  const name = text.toLowerCase();
  return namePattern.test(name) && !isNumeric(name) ? name : undefined;
};

/** Whether only this machine reaches a service that listens on the host. */
export const isLoopback = (host: string): boolean => {
  const canonical = canonicalHost(host);
  if (canonical === undefined) return false;
  return canonical === 'localhost' || canonical === '::1' || (isIPv4(canonical) && canonical.startsWith('127.'));
};

/**
 * Completes the refusal of a text that is no host: the form to write instead, and `portSetting` for a port. Undefined for
 * a text without a resemblance to a host.
 */
export const hostAdvice = (text: string, portSetting: string): string | undefined => {
  if (text.includes('%') && isIPv6(withoutBrackets(text))) return 'write it without its zone';
  const place = text.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '');
  const hasPort = place !== text || /^(?:[^:]*|\[.*\]):\d*$/.test(text);
  const host = canonicalHost((parsedHost(place) ?? '').replace(/\.$/, ''));
  const advice = [
    ...(host === undefined ? [] : [`write ${host}`]),
    ...(hasPort ? [`the port goes into ${portSetting}`] : []),
  ];
  return advice.length === 0 ? undefined : advice.join('; ');
};
