import { beforeAll, describe, expect, it } from '@jest/globals';
import { decode } from '@shardnode/protocol/encoding';
import { referenceId } from '@shardnode/protocol/primitives';
import { outputCodec, referenceOf, type Transaction, transactionId } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, methodOf, type SpendableOutput } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { createLedgerOracle, type ContractRules, type StateBefore } from '@shardnode/testing/ledger-oracle';
import { chainOf, coin, GrowingChains, settings, withBlocks } from './growing-chains.js';

const intra = chainOf(0, 0);
const cross = chainOf(0, 1);
const noEffects = { records: new Map(), immutable: new Map(), events: [], refused: [] };

/** A block of (0,1) pays group 0; the block of (0,0) after it has a script. What the script's machine sees. */
describe('outputs that scripts see (protocol 03 §8.3)', () => {
  let source: GrowingChains;
  let spent: SpendableOutput;
  let other: SpendableOutput;
  let paying: Transaction;
  let scripted: Transaction;
  let before: StateBefore;

  beforeAll(async () => {
    source = await GrowingChains.create();
    await source.rounds(2, true);
    [spent, other] = (await source.spendable(0)) as [SpendableOutput, SpendableOutput];
    const chains = source.chains();
    paying = source.pay(cross, [spent]);
    const pending = source.import(source.next(cross, { transactions: [paying] }));
    const outputs = [assetOutput(testKeyOfGroup(0).lockupScript, coin / 2n)];
    const script = { methods: [methodOf([])] };
    scripted = buildSignedTransfer({ settings, from: source.keys[0]!, spend: [other], outputs, script });
    const contractRules: ContractRules = (_, state) => {
      before = state;
      return noEffects;
    };
    const oracle = createLedgerOracle({ genesis: settings, contractRules });
    oracle.load({ chains: withBlocks(chains, [pending, source.next(intra, { transactions: [scripted] })]) });
    oracle.verify();
  });

  const seen = ({ hint, key }: SpendableOutput['reference']) => before.output(referenceId({ hint, key }));
  const ofTransaction = ({ unsigned }: Transaction, index: number) =>
    referenceOf(unsigned.fixedOutputs[index]!, transactionId(unsigned), index);

  it('lack those that a block which the state does not contain yet has spent', () => {
    expect(seen(spent.reference)).toBeUndefined();
  });

  it('contain those that such a block made, with the lock time as written', () => {
    expect(decode(outputCodec, seen(ofTransaction(paying, 1))!)).toEqual(paying.unsigned.fixedOutputs[1]);
  });

  it('contain those of the state, and not the ones of their own block', () => {
    expect(decode(outputCodec, seen(other.reference)!)).toMatchObject({ amount: other.output.amount });
    expect(seen(ofTransaction(scripted, 0))).toBeUndefined();
  });
});
