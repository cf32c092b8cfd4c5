import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { argumentOf } from '../../store/call-arguments.js';
import {
  accounts,
  callContract,
  type CallResult,
  type FunctionNames,
  type NamedSlot,
} from '../../store/development.js';
import { failureOf } from '../../store/loaded.js';
import { serverNow } from '../../store/network.js';
import { type ApiFailure } from '../../stream/api.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';
import { count } from '../numbers.js';
import { plainText } from '../plain-text.js';
import { Age } from '../values.js';
import { ValueText } from './value.js';

const Signature = ({ of: { name, params, returns } }: { readonly of: FunctionNames }) => (
  <span class="signature">
    <b>{plainText(name)}</b>(
    {params === undefined
      ? '…'
      : params.map((param, i) => (
          <span key={param.name}>
            {i > 0 && ', '}
            {plainText(param.name)}: <span class="quiet">{plainText(param.type)}</span>
          </span>
        ))}
    )
    {returns !== undefined && returns.length > 0 && (
      <span class="quiet"> → {returns.map((type) => plainText(type)).join(', ')}</span>
    )}
  </span>
);

interface Outcome {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly result?: CallResult;
  readonly failure?: ApiFailure;
}

const Succeeded = ({ result }: { readonly result: Extract<CallResult, { type: 'CallContractSucceeded' }> }) => {
  const words = texts.development;
  const { returns, debugMessages } = result;
  return (
    <>
      {returns.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <ul class="returns" aria-label={words.returned}>
          {returns.map((val, i) => (
            <li key={i}>
              <ValueText val={val} /> <span class="quiet code-name">{val.type}</span>
            </li>
          ))}
        </ul>
      )}
      {debugMessages.length > 0 && (
        <ul class="debug-messages" aria-label={words.debug}>
          {debugMessages.map((message, i) => (
            <li key={i}>
              <bdi>{plainText(message)}</bdi>
            </li>
          ))}
        </ul>
      )}
    </>
  );
};

const Result = ({ outcome: { at, result, failure } }: { readonly outcome: Outcome }) => {
  const words = texts.development;
  if (result?.type === 'CallContractSucceeded')
    return (
      <div class="call-result good">
        <Succeeded result={result} />
        <p class="quiet">
          {words.called} <Age timestamp={at} suffix=" ago" /> · {words.gas(count(result.gasUsed))}
        </p>
      </div>
    );
  const error = result?.error ?? failure?.message ?? '';
  return (
    <div class="call-result bad">
      <p>
        <b>{words.callFailed}</b>
        {result?.assertionName !== undefined && `: ${plainText(result.assertionName)}`}
        {result?.failedFunction !== undefined && ` ${words.failedIn(plainText(result.failedFunction))}`}
      </p>
      <p>{error}</p>
      <p>
        {words.called} <Age timestamp={at} suffix=" ago" />
      </p>
    </div>
  );
};

interface ParameterProps {
  readonly param: NamedSlot;
  readonly value: string;
  readonly isWrong: boolean;
  readonly onInput: (value: string) => void;
}

const expectedOf = (type: string): string => texts.development.expected[type] ?? texts.development.expectedContract;

const Parameter = ({ param: { name, type }, value, isWrong, onInput }: ParameterProps) => {
  const id = useId();
  const shared = { id, value, 'aria-invalid': isWrong, ...(isWrong && { 'aria-describedby': `${id}-wrong` }) };
  return (
    <div class="parameter">
      <label for={id}>
        <span class="code-name">{plainText(name)}</span> <span class="quiet">{plainText(type)}</span>
      </label>
      {type === 'Bool' ? (
        <select {...shared} onChange={({ currentTarget }) => onInput(currentTarget.value)}>
          <option>true</option>
          <option>false</option>
        </select>
      ) : (
        <input
          {...shared}
          type="text"
          autoComplete="off"
          spellcheck={false}
          placeholder={expectedOf(type)}
          list={type === 'Address' ? 'development-accounts' : undefined}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      )}
      {isWrong && (
        <p class="wrong" id={`${id}-wrong`}>
          {texts.development.wrong(expectedOf(type))}
        </p>
      )}
    </div>
  );
};

const addressNamed = (name: string): string | undefined => accounts.find((account) => account.name === name)?.address;

interface CallFormProps {
  readonly address: string;
  readonly index: number;
  readonly function: FunctionNames;
  readonly params: readonly NamedSlot[];
}

/** A function with a form that calls it; one without parameters is called when it is opened. */
const CallForm = ({ address, index, function: called, params }: CallFormProps) => {
  const words = texts.development;
  const written = useSignal<readonly string[]>(params.map(({ type }) => (type === 'Bool' ? 'true' : '')));
  const isTried = useSignal(false);
  const isCalling = useSignal(false);
  const outcome = useSignal<Outcome | undefined>(undefined);
  const args = params.map(({ type }, i) => argumentOf(type, written.value[i]!, addressNamed));
  const call = async (): Promise<void> => {
    isTried.value = true;
    const values = args.flatMap((val) => val ?? []);
    if (values.length < params.length || isCalling.value) return;
    isCalling.value = true;
    try {
      outcome.value = { at: serverNow(), result: await callContract(address, index, values) };
    } catch (error) {
      outcome.value = { at: serverNow(), failure: failureOf(error) };
    }
    isCalling.value = false;
  };
  return (
    <details
      class="function"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open && params.length === 0 && outcome.value === undefined) void call();
      }}
    >
      <summary>
        <Signature of={called} />
      </summary>
      <form
        class="call"
        onSubmit={(event) => {
          event.preventDefault();
          void call();
        }}
      >
        {params.map((param, i) => (
          <Parameter
            key={param.name}
            param={param}
            value={written.value[i]!}
            isWrong={isTried.value && args[i] === undefined}
            onInput={(value) => (written.value = written.value.with(i, value))}
          />
        ))}
        <button type="submit" class="button" disabled={isCalling.value}>
          {isCalling.value ? words.calling : words.call}
        </button>
      </form>
      <div role="status">{outcome.value !== undefined && <Result outcome={outcome.value} />}</div>
    </details>
  );
};

interface FunctionsProps {
  readonly address: string;
  readonly functions: readonly FunctionNames[];
}

/** The functions of a contract whose source is known, with forms to call those that need no assets of their caller. */
export const Functions = ({ address, functions }: FunctionsProps) => {
  const words = texts.development;
  return (
    <Card title={words.functions} aside={<span class="quiet wide-only">{words.functionsHint}</span>} class="functions">
      <datalist id="development-accounts">
        {accounts.map(({ name, address: own }) => (
          <option key={own} value={own}>
            {name}
          </option>
        ))}
      </datalist>
      {functions.map((each, index) => {
        const { name, params, isPublic, usePreapprovedAssets } = each;
        if (isPublic && !usePreapprovedAssets && params !== undefined)
          return <CallForm key={name} address={address} index={index} function={each} params={params} />;
        return (
          <p key={name} class="function">
            <Signature of={each} />
            {!isPublic && <span class="tag">{words.private}</span>}
            {usePreapprovedAssets && <span class="tag">{words.needsAssets}</span>}
          </p>
        );
      })}
    </Card>
  );
};
