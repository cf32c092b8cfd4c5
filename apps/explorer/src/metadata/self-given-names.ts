import { type ContractNames, type ContractStateForm, type FeedCallResult } from '@shardnode/messages';
import { djb } from '@shardnode/protocol/crypto';
import { decode, DecodeError, hexToBytes } from '@shardnode/protocol/encoding';
import { contractCodec, instructionByCode, type Method } from '@shardnode/protocol/script';

/** Methods by which a contract names its token, as fungible ones do. A token without decimals is counted in whole units. */
const methods = [
  ['getSymbol', 'ByteVec'],
  ['getName', 'ByteVec'],
  ['getDecimals', 'U256'],
] as const;

const selectorCode = instructionByCode.findIndex((definition) => definition?.name === 'MethodSelector');
const selectorOf = (signature: string): number => djb(new TextEncoder().encode(signature));

const methodsOf = (bytecode: string): readonly Method[] => {
  try {
    return decode(contractCodec, hexToBytes(bytecode)).methods;
  } catch (error) {
    if (error instanceof DecodeError) return [];
    throw error;
  }
};

/** Whether a method names itself so in its code, by its selector (protocol 05 §6.10). */
const hasSelector = ({ isPublic, instructions: [first] }: Method, selector: number): boolean =>
  isPublic && first?.code === selectorCode && ((first.operand as number) | 0) === selector;

/**
 * Indexes of the methods by which a contract without a standard names its token: symbol, name, and decimals where it has
 * them. Undefined: it does not name it, as far as its code or its source says.
 * @param source undefined: unknown
 */
export const namingMethods = (
  { bytecode }: Pick<ContractStateForm, 'bytecode'>,
  source: ContractNames | undefined,
): number[] | undefined => {
  const code = methodsOf(bytecode);
  const [symbol, name, decimals] = methods.map(([wanted, type]) => {
    const selector = selectorOf(`${wanted}()->(${type})`);
    const inCode = code.findIndex((method) => hasSelector(method, selector));
    if (inCode >= 0) return inCode;
    return (source?.functions ?? []).findIndex(
      ({ name: own, isPublic, params, returns }) =>
        own === wanted && isPublic && params?.length === 0 && returns?.join() === type,
    );
  });
  if (symbol! < 0 || name! < 0) return undefined;
  return decimals! < 0 ? [symbol!, name!] : [symbol!, name!, decimals!];
};

/** The results of the naming methods as a fungible token has them. */
export const withDecimals = (results: readonly FeedCallResult[]): readonly FeedCallResult[] =>
  results.length === 2 ? [...results, { ok: true, returns: [{ type: 'U256', value: '0' }] }] : results;
