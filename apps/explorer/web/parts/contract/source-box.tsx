import { useSignal } from '@preact/signals';
import { compileSource, sourcePath } from '../../store/development.js';
import { failureOf, reload } from '../../store/loaded.js';
import { texts } from '../../texts.js';
import { Card } from '../card.js';

/** Takes the source of a contract of which the network has no names, and has it compiled. */
export const SourceBox = ({ address }: { readonly address: string }) => {
  const words = texts.contract.source;
  const source = useSignal('');
  const isCompiling = useSignal(false);
  /** What came of it, if the names are still missing. */
  const outcome = useSignal<string | undefined>(undefined);
  const compile = async (): Promise<void> => {
    [isCompiling.value, outcome.value] = [true, undefined];
    try {
      await compileSource(source.value);
      await reload(sourcePath(address));
      outcome.value = words.other;
    } catch (error) {
      outcome.value = failureOf(error).message;
    } finally {
      isCompiling.value = false;
    }
  };
  return (
    <Card title={words.title} class="source-box">
      <p class="quiet">{texts.contract.noNames}</p>
      <textarea
        aria-label={words.label}
        rows={8}
        spellcheck={false}
        value={source.value}
        onInput={({ currentTarget: { value } }) => void (source.value = value)}
      />
      <button
        type="button"
        class="button"
        disabled={isCompiling.value || source.value.trim() === ''}
        onClick={() => void compile()}
      >
        {isCompiling.value ? words.compiling : words.compile}
      </button>
      {outcome.value !== undefined && (
        <pre class="problem" role="alert">
          {outcome.value}
        </pre>
      )}
    </Card>
  );
};
