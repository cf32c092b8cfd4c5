import { BlockList, isIP } from 'node:net';

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined =>
  (({ 4: 'ipv4', 6: 'ipv6' }) as const)[isIP(address) as 4 | 6];

const rangeOf = (text: string) => {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = familyOf(address);
  const bits = prefix === undefined ? undefined : Number(prefix);
  if (family === undefined || rest.length > 0) return undefined;
  if (bits === undefined) return { address, family, bits };
  const isPrefix = /^\d{1,3}$/.test(prefix!) && bits <= (family === 'ipv4' ? 32 : 128);
  return isPrefix ? { address, family, bits } : undefined;
};

/** Whether the text is an IP address, or a range of them: `10.0.0.0/8`. */
export const isAddressRange = (text: string): boolean => rangeOf(text) !== undefined;

/** Returns a test whether an address lies in one of the ranges, each valid for `isAddressRange`. */
export const createRangeTest = (ranges: readonly string[]): ((address: string) => boolean) => {
  if (ranges.length === 0) return () => false;
  const list = new BlockList();
  for (const { address, family, bits } of ranges.map(rangeOf).filter((range) => range !== undefined)) {
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return (address) => {
    const family = familyOf(address);
    return family !== undefined && list.check(address, family);
  };
};
