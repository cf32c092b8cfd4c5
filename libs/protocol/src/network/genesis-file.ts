import { parseAddress } from '../address/index.js';
import { groupOfLockupScript, parseAmount } from '../primitives/index.js';
import { type GenesisAllocation, type NetworkSettings } from './settings.js';
import { developmentNetwork } from './development-network.js';
import { settingsOfNetwork } from './templates.js';

type Fields = { readonly [name: string]: unknown };

const failure = (where: string, expected: string): RangeError =>
  new RangeError(`genesis file: ${where}: expected ${expected}`);

const fieldsOf = (value: unknown, where: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw failure(where, 'an object');
  return value as Fields;
};

/** A whole number between the bounds; a string of digits is accepted too. `otherwise`: value of an absent field. */
const integer = (value: unknown, where: string, least: number, most: number, otherwise?: number): number => {
  if (value === undefined && otherwise !== undefined) return otherwise;
  const number = typeof value === 'string' && /^-?[0-9]+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < least || number > most) {
    throw failure(where, `an integer from ${least} to ${most}`);
  }
  return number;
};

const milliseconds = (value: unknown, where: string, least: number, otherwise?: bigint): bigint =>
  value === undefined && otherwise !== undefined
    ? otherwise
    : BigInt(integer(value, where, least, Number.MAX_SAFE_INTEGER));

const allocationFrom = (value: unknown, where: string, groups: number, symbol: string): GenesisAllocation => {
  const fields = fieldsOf(value, where);
  const lockupScript = typeof fields.address === 'string' ? parseAddress(fields.address) : undefined;
  if (!lockupScript || lockupScript.kind === 'p2c') throw failure(`${where}.address`, 'an asset address');
  if (fields.group !== undefined && fields.group !== groupOfLockupScript(lockupScript, groups)) {
    throw failure(`${where}.group`, `${groupOfLockupScript(lockupScript, groups)}, the group of the address`);
  }
  const amount = typeof fields.attoCoinAmount === 'string' ? parseAmount(fields.attoCoinAmount, symbol) : undefined;
  if (amount === undefined) throw failure(`${where}.attoCoinAmount`, 'an amount as text');
  return { lockupScript, amount, lockDuration: milliseconds(fields.lockDurationMs, `${where}.lockDurationMs`, 0, 0n) };
};

const allocationsFrom = (value: unknown, groups: number, symbol: string): readonly GenesisAllocation[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw failure('allocations', 'a list');
  return value.map((allocation, i) => allocationFrom(allocation, `allocations[${i}]`, groups, symbol));
};

const proofFrom = (value: unknown, otherwise: readonly string[]): readonly string[] => {
  if (value === undefined) return otherwise;
  // ASCII only: the proof is the hash of the bytes of these texts.
  if (!Array.isArray(value) || !value.every((text) => typeof text === 'string' && /^[\x20-\x7e]*$/.test(text))) {
    throw failure('noPreMineProof', 'a list of ASCII texts');
  }
  return value as readonly string[];
};

/**
 * Without this a file that only adds allocations to the development network would require the work of a test network.
 */
const templateOf = (networkId: number): NetworkSettings =>
  networkId === developmentNetwork.networkId ? developmentNetwork : settingsOfNetwork(networkId);

/**
 * Settings of a network from parsed JSON. Required: `networkId`. Optional, with the value of the development network
 * for its id (decisions, 22) and of the kind of network otherwise (protocol 03 §2.3): `groups`, `numZeros`,
 * `blockTargetTimeMs`, `uncleDependencyGapMs`, `coinbaseLockPeriodMs`, `noPreMineProof`, and `allocations` of
 * `address`, `attoCoinAmount` (text, protocol 01 §10.1), `lockDurationMs` and `group` (compared with the address).
 * Other fields are ignored. Throws RangeError with the field and the expected value.
 */
export const parseGenesisFile = (json: unknown, coinSymbol = 'COIN'): NetworkSettings => {
  const fields = fieldsOf(json, 'the file');
  const template = templateOf(integer(fields.networkId, 'networkId', -128, 127));
  const groups = integer(fields.groups, 'groups', 1, 64, template.groups);
  return {
    networkId: template.networkId,
    groups,
    numZeros: integer(fields.numZeros, 'numZeros', 0, 255, template.numZeros),
    blockTargetTime: milliseconds(fields.blockTargetTimeMs, 'blockTargetTimeMs', 1, template.blockTargetTime),
    uncleDependencyGap: milliseconds(
      fields.uncleDependencyGapMs,
      'uncleDependencyGapMs',
      0,
      template.uncleDependencyGap,
    ),
    coinbaseLockPeriod: milliseconds(
      fields.coinbaseLockPeriodMs,
      'coinbaseLockPeriodMs',
      0,
      template.coinbaseLockPeriod,
    ),
    allocations: allocationsFrom(fields.allocations, groups, coinSymbol),
    preMineProof: proofFrom(fields.noPreMineProof, template.preMineProof),
  };
};
