import {
  amountInField,
  attoAmountField,
  buildingRefusals,
  contractAddressOf,
  initialAttoAmountField,
  scriptHex,
  validationRefusals,
  type RequestSchemas,
} from '@shardnode/http';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type z } from 'zod';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { senderOfKey } from '../endpoint/senders.js';
import { builtForm } from './transactions.js';

type Sent = z.output<RequestSchemas['executeScript']> | z.output<RequestSchemas['deployContract']>;

/** Who sends, and what it costs: the same for both transactions. */
const senderAndGas = (edge: Edge, { fromPublicKey, fromPublicKeyType, gasAmount, gasPrice }: Sent) => {
  const { group, lockupScript, unlockScript } = senderOfKey(fromPublicKey, fromPublicKeyType ?? 'default', edge);
  const { unminable } = edge.profile;
  return { group, payload: { lockupScript, unlockScript, gasAmount, gasPrice: gasPrice?.toString(), unminable } };
};

type SentTokens = z.output<RequestSchemas['executeScript']>['tokens'];
const tokenItems = (tokens: SentTokens) => (tokens ?? []).map(({ id, amount }) => ({ id, amount: amount.toString() }));

/** Why neither is built. */
const refusals = [...buildingRefusals, ...validationRefusals, 'InvalidPublicKey', 'TooManyRuns'] as const;

/** Protocol 07 §10.3. */
const executeScript = (edge: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/contracts/unsigned-tx/execute-script',
      tag: 'Contracts',
      summary: 'Build a transaction that runs a script',
      description: 'Without a gas amount the script is tried, and the gas that it takes is asked for.',
      body: edge.requests.executeScript,
      answer: edge.answers.built,
      codes: refusals,
    },
    (plan) =>
      plan.oneGroup('read.building.execute-script', {
        ask: ({ body }) => {
          const { group, payload } = senderAndGas(edge, body);
          return {
            group,
            payload: {
              ...payload,
              script: hexToBytes(body.bytecode),
              amount: amountInField(body, attoAmountField(edge.brand))?.toString(),
              tokens: tokenItems(body.tokens),
            },
          };
        },
        form: builtForm,
      }),
  );

/** Protocol 07 §10.2. */
const deployContract = (edge: Edge): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/contracts/unsigned-tx/deploy-contract',
      tag: 'Contracts',
      summary: 'Build a transaction that creates a contract',
      description: 'The address of the contract follows from the transaction, and is answered with it.',
      body: edge.requests.deployContract,
      answer: edge.answers.deployment,
      codes: refusals,
    },
    (plan) =>
      plan.oneGroup('read.building.deploy-contract', {
        ask: ({ body }) => {
          const { group, payload } = senderAndGas(edge, body);
          return {
            group,
            payload: {
              ...payload,
              bytecode: hexToBytes(body.bytecode),
              initialAmount: amountInField(body, initialAttoAmountField(edge.brand))?.toString(),
              initialTokens: tokenItems(body.initialTokenAmounts),
              issueTokenAmount: body.issueTokenAmount?.toString(),
              issueTokenTo: body.issueTokenTo && scriptHex(body.issueTokenTo.lockupScript),
            },
          };
        },
        form: (reply) => ({ ...builtForm(reply), contractAddress: contractAddressOf(reply.contractId) }),
      }),
  );

export const scriptEndpoints = (edge: Edge): Endpoint[] => [deployContract(edge), executeScript(edge)];
