import { chainOfHash } from '../../store/chains.js';
import { type ContractMoment } from '../../store/contract-forms.js';
import { type LifeStep } from '../../store/contract-life.js';
import { groups } from '../../store/network.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { AddressLink, BlockLink, ChainBadge, ends, groupClass, TransactionLink } from '../links.js';
import { span } from '../numbers.js';
import { Age } from '../values.js';

const Place = ({ moment: { blockHash, txHash } }: { readonly moment: ContractMoment }) => (
  <>
    <p>
      <ChainBadge {...chainOfHash(blockHash, groups.value)} /> <BlockLink id={blockHash} first={6} last={6} />
    </p>
    <p class="quiet">
      {texts.contract.by} <TransactionLink id={txHash} first={6} last={6} />
    </p>
  </>
);

const Step = ({ step }: { readonly step: LifeStep }) => {
  const words = texts.contract;
  return (
    <li class={step.kind}>
      <h3>{words.steps[step.kind]}</h3>
      <p class="quiet">
        <Age timestamp={step.timestamp} suffix=" ago" />
        {step.kind === 'destroyed' && `, ${words.lived(span(step.livedMs))}`}
      </p>
      {step.kind === 'migrated' ? (
        <p class="quiet">{words.migratedHint(ends(step.from), ends(step.to))}</p>
      ) : (
        <Place moment={step} />
      )}
      {'parent' in step && step.parent !== null && (
        <p class="quiet">
          {words.fromParent} <AddressLink id={step.parent} />
        </p>
      )}
    </li>
  );
};

interface LifeLineProps {
  /** Oldest first. */
  readonly steps: readonly LifeStep[];
  readonly lives: number;
  readonly group: number;
}

/** What happened to a contract: full while it lived, dotted while it was gone. */
export const LifeLine = ({ steps, lives, group }: LifeLineProps) => {
  const words = texts.contract;
  const newest = steps.at(-1)!;
  const born = steps.findLast(({ kind }) => kind === 'created' || kind === 'again')!;
  const isAlive = newest.kind !== 'destroyed';
  return (
    <Card title={words.life} aside={<span class="quiet">{words.lifeHint(lives)}</span>} class={groupClass(group)}>
      <ol class="life">
        {steps.map((step) => (
          <Step key={`${step.kind} ${step.timestamp}`} step={step} />
        ))}
        <li class={isAlive ? 'now alive' : 'now'}>
          <h3>{words.now}</h3>
          <p class="quiet">
            {isAlive ? words.livesFor : words.goneFor} <Age timestamp={(isAlive ? born : newest).timestamp} />
          </p>
        </li>
      </ol>
    </Card>
  );
};
