import { useEffect } from 'preact/hooks';
import { AddressTransactions } from '../parts/address-transactions.js';
import { Card, Fact, Facts, Failure, Row, StatePill } from '../parts/card.js';
import { Disassembly } from '../parts/code/disassembly.js';
import { Events } from '../parts/contract/events.js';
import { Fields } from '../parts/contract/fields.js';
import { Functions } from '../parts/contract/functions.js';
import { LifeLine } from '../parts/contract/life-line.js';
import { SourceBox } from '../parts/contract/source-box.js';
import { AddressLink, ends, GroupBadge, Link } from '../parts/links.js';
import { count, utc } from '../parts/numbers.js';
import { plainText } from '../parts/plain-text.js';
import { useSlowly } from '../parts/use-slowly.js';
import { Age, Amount, Copy } from '../parts/values.js';
import { groupOfContractId } from '@shardnode/http/page-paths';
import { fieldsOf } from '../store/contract-fields.js';
import { type ContractLife, type ContractState } from '../store/contract-forms.js';
import { lifeSteps } from '../store/contract-life.js';
import { type ContractSource, hasDevelopmentTools, sourcePath } from '../store/development.js';
import { type Transaction } from '../store/forms.js';
import { useList } from '../store/list.js';
import { answerOf, reload, useAnswer } from '../store/loaded.js';
import { migrationsOf, noteCode } from '../store/migrations.js';
import { network } from '../store/network.js';
import { texts } from '../texts.js';
import { MissingPage } from './missing.js';
import { useTabTitle } from '../parts/page-title.js';
import { ListState, More } from '../parts/list-parts.js';

const livesLimit = 20;
const subContractsLimit = 20;
const transactionsLimit = 20;

/** Changes when a block may have changed a contract of the group: calls that move nothing are told by no address. */
const useVersion = (group: number): string => {
  const { blocks, snapshots } = network.value;
  const newest = blocks.find(({ chainFrom, txNumber }) => chainFrom === group && txNumber > 1);
  return useSlowly([newest?.hash, snapshots].join());
};

interface ContractFactsProps {
  readonly life: ContractLife;
  readonly id: string;
  readonly group: number;
  readonly state: ContractState | undefined;
}

const InterfaceFact = ({ interfaceId, id }: { readonly interfaceId: string | null; readonly id: string }) => {
  const words = texts.contract;
  const name = interfaceId === null ? words.unknownInterface : (words.interfaceTitles[interfaceId] ?? interfaceId);
  const isToken = interfaceId === 'fungible' || interfaceId === 'non-fungible';
  return (
    <Fact name={words.interface} hint={isToken && <Link to={`token/${id}`}>{words.tokenPage}</Link>}>
      {plainText(name)}
    </Fact>
  );
};

const ContractFacts = ({ life, id, group, state }: ContractFactsProps) => {
  const words = texts.contract;
  const { creation, destruction, parent, interfaceId } = life;
  return (
    <Facts>
      <Fact name={words.created} hint={utc(creation.timestamp)}>
        <Age timestamp={creation.timestamp} suffix=" ago" />
      </Fact>
      <Fact name={words.owns} hint={destruction === null && words.ownsTokens(state?.asset.tokens?.length ?? 0)}>
        {destruction !== null ? (
          words.ownsNothing
        ) : state === undefined ? (
          '…'
        ) : (
          <Amount amount={BigInt(state.asset.attoCoinAmount)} />
        )}
      </Fact>
      <InterfaceFact interfaceId={interfaceId} id={id} />
      <Fact name={words.parent} hint={parent === null && words.noParentHint}>
        {parent === null ? words.noParent : <AddressLink id={parent} first={8} last={6} />}
      </Fact>
      <Fact name={words.group}>
        <GroupBadge group={group} />
      </Fact>
    </Facts>
  );
};

const Code = ({ address, state }: { readonly address: string; readonly state: ContractState }) => {
  const words = texts.contract;
  const { codeHash, initialStateHash, bytecode } = state;
  return (
    <Card title={words.code} aside={<a href={`contracts/${address}/state`}>{words.json}</a>}>
      <dl>
        <Row name={words.codeHash}>
          <span class="id" title={codeHash}>
            {ends(codeHash, 8, 8)}
          </span>
        </Row>
        {initialStateHash !== undefined && (
          <Row name={words.initialStateHash}>
            <span class="id" title={initialStateHash}>
              {ends(initialStateHash, 8, 8)}
            </span>
          </Row>
        )}
        <Row name={words.size}>{words.bytes(count(bytecode.length / 2))}</Row>
      </dl>
    </Card>
  );
};

interface BytecodeProps {
  readonly state: ContractState;
  readonly source: ContractSource | undefined;
}

const Bytecode = ({ state: { codeHash, bytecode }, source }: BytecodeProps) => {
  const words = texts.contract;
  return (
    <details class="card folded">
      <summary>
        {words.bytecode} <span class="quiet">{words.bytecodeHint}</span>
      </summary>
      <dl>
        <Row name={words.codeHash}>{codeHash}</Row>
        <Row name={words.bytecode}>{bytecode}</Row>
      </dl>
      <Disassembly key={codeHash} kind="contract" code={bytecode} names={source?.functions.map(({ name }) => name)} />
    </details>
  );
};

const Assets = ({ asset }: Pick<ContractState, 'asset'>) => {
  const words = texts.contract;
  return (
    <Card title={words.assets} class="contract-assets">
      <ul class="entries">
        <li>
          <Amount amount={BigInt(asset.attoCoinAmount)} />
        </li>
        {(asset.tokens ?? []).map(({ id, amount }) => (
          <li key={id}>
            <Amount amount={BigInt(amount)} token={id} />
            <Link to={`token/${id}`} class="id" title={id}>
              {ends(id, 8, 8)}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const subContractCount = ({ length }: readonly string[]): string =>
  `${count(length)}${length === subContractsLimit ? '+' : ''}`;

const SubContracts = ({ address, version }: { readonly address: string; readonly version: string }) => {
  const words = texts.contract;
  const { value } = useAnswer<{ readonly subContracts: readonly string[] }>(
    `contracts/${address}/sub-contracts?limit=${subContractsLimit}`,
    version,
  );
  if (value === undefined || value.subContracts.length === 0) return null;
  return (
    <Card title={words.subContracts} aside={<span class="quiet number">{subContractCount(value.subContracts)}</span>}>
      <ul class="sub-contracts">
        {value.subContracts.map((sub) => (
          <li key={sub}>
            <AddressLink id={sub} first={8} last={8} />
          </li>
        ))}
      </ul>
    </Card>
  );
};

interface LivingPartsProps {
  readonly address: string;
  readonly state: ContractState;
  readonly source: ContractSource | undefined;
  readonly version: string;
}

/** What only a contract that is not destroyed has. */
const LivingParts = ({ address, state, source, version }: LivingPartsProps) => (
  <>
    <div class="contract-state">
      <Fields fields={fieldsOf(state, source?.fields)} />
      <div class="contract-side">
        <Assets asset={state.asset} />
        <Code address={address} state={state} />
        <SubContracts address={address} version={version} />
      </div>
    </div>
    {source !== undefined && <Functions address={address} functions={source.functions} />}
  </>
);

/** Whether a development network was asked for the names in a source, and has none. */
const isWithoutNames = (address: string): boolean =>
  answerOf<{ readonly source: ContractSource | null }>(sourcePath(address)).value?.source === null;

/**
 * The names in the source of a contract, where a development network knows them; asked for until it does.
 * @param state undefined: the contract is not there now; what was known of it stays
 */
const useSource = (address: string, state: ContractState | undefined): ContractSource | undefined => {
  const path = sourcePath(address);
  const known = answerOf<{ readonly source: ContractSource | null }>(path).value?.source ?? undefined;
  const isAsked = hasDevelopmentTools && state !== undefined;
  useAnswer(isAsked ? path : undefined, known === undefined ? state : state?.codeHash);
  return known;
};

const Transactions = ({ address, version }: { readonly address: string; readonly version: string }) => {
  const words = texts.contract;
  const list = useList<Transaction>(`addresses/${address}/transactions?limit=${transactionsLimit}`, version);
  const { rows, more } = list;
  return (
    <Card title={words.transactions} aside={<span class="quiet">{words.transactionsHint}</span>} class="table">
      <ListState list={list} none={words.noTransactions} />
      {rows.length > 0 && <AddressTransactions own={address} pending={[]} confirmed={rows} />}
      <More more={more}>{texts.address.more}</More>
    </Card>
  );
};

interface ContractPageProps {
  readonly address: string;
  /** Of the contract, 64 hexadecimal digits. */
  readonly id: string;
}

/** What is it, what is in it, what did it do? */
export const ContractPage = ({ address, id }: ContractPageProps) => {
  const words = texts.contract;
  const group = groupOfContractId(id);
  const version = useVersion(group);
  const path = `contracts/${address}/lives?limit=${livesLimit}`;
  const { value: lives, failure } = useAnswer<readonly ContractLife[]>(path, version);
  useTabTitle(`${words.title} ${ends(address)}`);
  const newest = lives?.[0];
  const isAlive = newest?.destruction === null;
  const statePath = isAlive ? `contracts/${address}/state` : undefined;
  // After its lives: one that has just been destroyed is not asked for.
  const { value: state, failure: stateFailure } = useAnswer<ContractState>(statePath, lives);
  useEffect(() => {
    if (state !== undefined) noteCode(address, state.codeHash);
  }, [address, state?.codeHash]);
  const source = useSource(address, state);
  if (lives !== undefined && newest === undefined)
    return <MissingPage text={address} tried={words.unknown} look={() => void reload(path)} />;
  const steps = lives && lifeSteps(lives, migrationsOf(address), lives.length < livesLimit);
  return (
    <>
      <nav class="breadcrumb" aria-label={texts.breadcrumb}>
        <Link to="">{texts.frame.network}</Link> › {words.title}
      </nav>
      <div class="subject">
        <h1>{source === undefined ? words.title : plainText(source.contract)}</h1>
        {source !== undefined && <StatePill kind="plain">{words.title}</StatePill>}
        {newest !== undefined && (
          <StatePill kind={isAlive ? 'good' : 'plain'}>{isAlive ? words.alive : words.destroyed}</StatePill>
        )}
      </div>
      <p class="full-id">
        {address} <Copy text={address} />
      </p>
      {lives === undefined && failure !== undefined && <Failure failure={failure} retry={() => void reload(path)} />}
      {newest !== undefined && <ContractFacts life={newest} id={id} group={group} state={state} />}
      {steps !== undefined && <LifeLine steps={steps} lives={lives!.length} group={group} />}
      {state !== undefined && isWithoutNames(address) && <SourceBox address={address} />}
      {state !== undefined && !hasDevelopmentTools && <p class="note">{words.namesElsewhere}</p>}
      {state !== undefined && <LivingParts address={address} state={state} source={source} version={version} />}
      {statePath !== undefined && state === undefined && stateFailure !== undefined && (
        <Failure failure={stateFailure} retry={() => void reload(statePath)} />
      )}
      {newest !== undefined && !isAlive && <p class="banner plain">{words.goneFields}</p>}
      <Events address={address} version={version} names={source?.events ?? []} />
      {newest !== undefined && !isAlive && <SubContracts address={address} version={version} />}
      <Transactions address={address} version={version} />
      {state !== undefined && <Bytecode state={state} source={source} />}
    </>
  );
};
