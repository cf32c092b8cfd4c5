import { isIPv4, isIPv6 } from 'node:net';
import { canonicalHost } from '../hosts/index.js';

/**
 * The client behind an address: the IPv4 address, or the first 64 bits of an IPv6 address, because one client owns the
 * whole /64.
 */
export const clientOfAddress = (address: string | undefined): string => {
  // A closed connection has none.
  const [text = ''] = (address ?? '').toLowerCase().split('%', 1);
  if (!isIPv6(text)) return text;
  const host = canonicalHost(text)!;
  if (isIPv4(host)) return host;
  const [head = '', tail] = host.split('::');
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const [start, end] = [groupsOf(head), groupsOf(tail ?? '')];
  const zeros = Array.from({ length: 8 - start.length - end.length }, () => '0');
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`;
};
