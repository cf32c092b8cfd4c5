import { isIPv6 } from 'node:net';

/**
 * The client behind an address: the IPv4 address, or the first 64 bits of an IPv6 address, because one client owns the
 * whole /64.
 */
export const clientOfAddress = (address: string | undefined): string => {
  // A closed connection has none.
  const [text = ''] = (address ?? '').toLowerCase().split('%', 1);
  const mapped = /^(?:0*:)*:?(?:0+:)*ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(text)) return text;
  const [head = '', tail] = text.split('::');
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':'));
  // An embedded IPv4 address takes the place of two groups; it is never among the first four.
  const tailLength = groupsOf(tail ?? '').reduce((length, group) => length + (group.includes('.') ? 2 : 1), 0);
  const start = groupsOf(head);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - start.length - tailLength }, () => '0');
  const groups = [...start, ...zeros, ...groupsOf(tail ?? '')];
  return `${groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':')}::/64`;
};
