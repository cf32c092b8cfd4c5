import { isIPv4, isIPv6 } from 'node:net';
import { type Leaf } from './leaf.js';

/** The eight groups of an IPv6 address, without leading zeros and without `::`: `::1` is `0:0:0:0:0:0:0:1`. */
const uncompressed = (text: string): string => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(text);
  const hexOf = (high: string, low: string): string => (Number(high) * 256 + Number(low)).toString(16);
  const plain = dotted ? `${dotted[1]}${hexOf(dotted[2]!, dotted[3]!)}:${hexOf(dotted[4]!, dotted[5]!)}` : text;
  const [head = '', tail] = plain.split('::');
  const groupsOf = (part: string | undefined): string[] => (part ? part.split(':') : []);
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return [...first, ...zeros, ...last].map((group) => parseInt(group, 16).toString(16)).join(':');
};

/** An IPv4 or IPv6 address (protocol 07 §1.5). Host names are never resolved. */
export const inetAddress: Leaf<string> = {
  expects: 'an IPv4 or IPv6 address, not the name of a host',
  read: (raw) => {
    if (typeof raw !== 'string') return undefined;
    if (isIPv4(raw)) return raw;
    return isIPv6(raw) && !raw.includes('%') ? uncompressed(raw) : undefined;
  },
  meaning: { description: 'IPv4 or IPv6 address', example: '10.1.2.3', type: 'string', format: 'ip', maxLength: 64 },
};
