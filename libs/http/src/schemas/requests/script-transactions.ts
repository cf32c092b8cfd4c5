import { attoAmountField, initialAttoAmountField, type Brand } from '../../brand/brand.js';
import { blockHashText, hexText, senderPublicKey } from '../bytes.js';
import { developmentValues } from '../development-values.js';
import { fields, optional, required } from '../leaf.js';
import { amount, smallestUnits } from '../numbers.js';
import { assetAddress, choice } from '../texts.js';
import { gasGiven, gasPrice, sentTokens } from './spending.js';

const sender = () => ({
  fromPublicKey: required(senderPublicKey),
  fromPublicKeyType: optional(choice(['default', 'bip340-schnorr'], 'Kind of key; default: default')),
});
const gas = () => ({
  gasAmount: gasGiven(),
  gasPrice: gasPrice(),
  targetBlockHash: optional(blockHashText, { description: 'Read and without effect' }),
});

/** Protocol 07 §10.2, §10.3. */
export const scriptRequests = (brand: Brand) => {
  const approved = () =>
    optional(smallestUnits(brand), { description: 'Coins that the script may use; default: none' });
  const initial = () =>
    optional(smallestUnits(brand), { description: 'Coins of the contract; default and least: one coin' });
  return {
    executeScript: fields(
      {
        ...sender(),
        bytecode: required(hexText, { description: 'Serialized script', example: developmentValues.script }),
        // The name depends on the brand, which types cannot tell.
        ...({ [attoAmountField(brand)]: approved() } as { attoCoinAmount: ReturnType<typeof approved> }),
        tokens: sentTokens('Tokens that the script may use'),
        ...gas(),
      },
      { description: 'Transaction that runs a script', id: 'BuildExecuteScriptTx' },
    ),
    deployContract: fields(
      {
        ...sender(),
        bytecode: required(hexText, {
          description: 'Serialized contract, then its immutable fields and its mutable fields, each a serialized list',
          example: `${developmentValues.contract.code}0000`,
        }),
        ...({ [initialAttoAmountField(brand)]: initial() } as {
          initialAttoCoinAmount: ReturnType<typeof initial>;
        }),
        initialTokenAmounts: sentTokens('Tokens of the contract'),
        issueTokenAmount: optional(amount(brand), {
          description: 'How much of its own token is made; default: none',
          example: '1000',
        }),
        issueTokenTo: optional(assetAddress, { description: 'Who gets that token; default: the contract' }),
        ...gas(),
      },
      { description: 'Transaction that creates a contract', id: 'BuildDeployContractTx' },
    ),
  };
};
