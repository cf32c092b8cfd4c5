const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** First byte of the address of a contract (protocol 01 §16). */
const kind = '03';

/** The address of the contract with this id: base58 of a byte 3 and the id. @param id 64 hexadecimal digits */
export const contractAddressOf = (id: string): string => {
  let text = '';
  for (let rest = BigInt(`0x${kind}${id}`); rest > 0n; rest /= 58n) text = alphabet[Number(rest % 58n)]! + text;
  return text;
};

/** Characters of the longest address of a contract. */
const longest = 46;

/** The id of a contract, which is that of its token too; undefined: not the address of a contract. */
export const contractIdOf = (address: string): string | undefined => {
  if (address.length > longest) return undefined;
  let value = 0n;
  for (const character of address) {
    const digit = alphabet.indexOf(character);
    if (digit < 0) return undefined;
    value = value * 58n + BigInt(digit);
  }
  const [, id] = new RegExp(`^${Number(kind)}([0-9a-f]{64})$`).exec(value.toString(16)) ?? [];
  return id;
};

/** The group whose chains run a contract: the last byte of its id. @param id 64 hexadecimal digits */
export const groupOfContractId = (id: string): number => parseInt(id.slice(-2), 16);
