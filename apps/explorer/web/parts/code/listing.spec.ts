import { describe, expect, it } from '@jest/globals';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import {
  contractCodec,
  type Instruction,
  instructionByCode,
  instructions,
  type Method,
  type OperandKind,
  statefulScriptCodec,
} from '@shardnode/protocol/script';
import { contractAddressOf } from '@shardnode/http/page-paths';
import { listingsOf } from './listing.js';

const contractId = '11'.repeat(32);

const operands: { readonly [Kind in OperandKind]: Instruction['operand'] } = {
  index: 7,
  i256: -5n,
  u256: 10n ** 18n,
  bytes: new TextEncoder().encode('Hello'),
  lockupScript: { kind: 'p2c', contractId },
  offset: -3,
  byteStrings: [Uint8Array.of(1), new TextEncoder().encode('x = ')],
  twoBytes: Uint8Array.of(0, 255),
  selector: -2,
};

const codeOf = (name: string): number => instructions.find((one) => one.name === name)!.code;

const instruction = (code: number): Instruction => {
  const kind = instructionByCode[code]!.operand;
  return kind === undefined ? { code } : { code, operand: operands[kind] };
};

const method = (codes: readonly number[], more: Partial<Method> = {}): Method => ({
  isPublic: true,
  assetModifier: 0,
  argsLength: 0,
  localsLength: 0,
  returnLength: 0,
  instructions: codes.map(instruction),
  ...more,
});

const contractOf = (...methods: Method[]): string => bytesToHex(encode(contractCodec, { fieldLength: 0, methods }));

describe('code as instructions', () => {
  it('shows each operand as a reader wants it', () => {
    const names = [
      'LoadLocal',
      'I256Const',
      'U256Const',
      'BytesConst',
      'AddressConst',
      'Jump',
      'CallExternalBySelector',
    ];
    const [listing] = listingsOf('contract', contractOf(method(names.map(codeOf))))!;
    expect(listing!.text.split('\n')).toEqual([
      '0  LoadLocal 7',
      '1  I256Const -5',
      '2  U256Const 1000000000000000000',
      '3  BytesConst 0x48656c6c6f "Hello"',
      `4  AddressConst ${contractAddressOf(contractId)}`,
      '5  Jump → 3',
      '6  CallExternalBySelector 0xfffffffe',
    ]);
  });

  it('knows all instructions', () => {
    const codes = instructions.map(({ code }) => code);
    const [listing] = listingsOf('contract', contractOf(method(codes)))!;
    const lines = listing!.text.split('\n').map((line) => line.trim().split(/ +/)[1]);
    expect(lines).toEqual(instructions.map(({ name }) => name));
  });

  it('says what each method takes, returns and may move', () => {
    const code = contractOf(
      method([], { argsLength: 1, localsLength: 3, returnLength: 2 }),
      method([], { isPublic: false, assetModifier: 1 }),
      method([], { assetModifier: 2 }),
      method([], { assetModifier: 3 }),
    );
    expect(listingsOf('contract', code)).toMatchObject([
      { isPublic: true, args: 1, locals: 3, returns: 2, usesApprovedAssets: false, usesContractAssets: false },
      { isPublic: false, usesApprovedAssets: true, usesContractAssets: true },
      { usesApprovedAssets: false, usesContractAssets: true },
      { usesApprovedAssets: true, usesContractAssets: false },
    ]);
  });

  it('reads the script of a transaction, and nothing that is none', () => {
    const script = bytesToHex(encode(statefulScriptCodec, { methods: [method([codeOf('Return')])] }));
    expect(listingsOf('script', script)).toMatchObject([{ text: '0  Return' }]);
    expect(listingsOf('script', `${script}00`)).toBeUndefined();
    expect(listingsOf('contract', '')).toBeUndefined();
  });
});
