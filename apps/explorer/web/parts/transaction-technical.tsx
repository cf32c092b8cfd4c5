import { useSignal } from '@preact/signals';
import { type Transaction } from '../store/forms.js';
import { addressOf } from '../stream/api.js';
import { texts } from '../texts.js';
import { Row } from './card.js';
import { Disassembly } from './code/disassembly.js';
import { Copy } from './values.js';

/** The answer of the API as it is, asked for when it is unfolded. */
const Raw = ({ path }: { readonly path: string }) => {
  const text = useSignal<string | undefined>(undefined);
  const onToggle = async ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): Promise<void> => {
    if (!currentTarget.open || text.value !== undefined) return;
    const answer = await fetch(addressOf(path)).catch(() => undefined);
    text.value = answer?.ok === true ? JSON.stringify(await answer.json(), undefined, 2) : texts.transaction.noJson;
  };
  return (
    <details class="raw" onToggle={(event) => void onToggle(event)}>
      <summary>
        {texts.transaction.json} <span class="quiet">{texts.transaction.jsonHint}</span>
      </summary>
      {text.value === undefined ? (
        <p class="quiet">{texts.loading}</p>
      ) : (
        <>
          <Copy text={text.value} />
          <pre tabIndex={0}>{text.value}</pre>
        </>
      )}
    </details>
  );
};

/** Inputs that follow one of the same owner have the same unlock script. */
const differing = (scripts: readonly string[]): string[] => [...new Set(scripts)];

/** Scripts, signatures and raw form, folded. */
export const TransactionTechnical = ({ transaction }: { readonly transaction: Transaction }) => {
  const { fields, technical, technicalHint } = texts.transaction;
  const scripts = differing(transaction.inputs.flatMap(({ unlockScript }) => unlockScript ?? []));
  return (
    <details class="card folded">
      <summary>
        {technical} <span class="quiet">{technicalHint(transaction.version, transaction.networkId)}</span>
      </summary>
      <dl>
        {scripts.map((script) => (
          <Row key={script} name={fields.unlock}>
            {script}
          </Row>
        ))}
        {transaction.inputSignatures.map((signature) => (
          <Row key={signature} name={fields.signature}>
            {signature}
          </Row>
        ))}
        <Row name={fields.script}>{transaction.scriptOpt ?? fields.none}</Row>
        {transaction.scriptSignatures.map((signature) => (
          <Row key={signature} name={fields.scriptSignature}>
            {signature}
          </Row>
        ))}
        <Row name={fields.block}>{transaction.blockHash}</Row>
      </dl>
      {transaction.scriptOpt !== null && <Disassembly kind="script" code={transaction.scriptOpt} />}
      <Raw path={`transactions/${transaction.hash}`} />
    </details>
  );
};
