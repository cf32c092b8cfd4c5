import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { texts } from '../../texts.js';
import { modulesPath } from './path.js';

/** Light modules around the code that readers need. */
const margin = 4;

interface Drawn {
  readonly path: string;
  /** Modules of a side, the margin counted. */
  readonly size: number;
}

/** A text as a QR code, dark on light in each theme: not all readers take the other. Its maker is read when one is shown. */
export const QrCode = ({ text }: { readonly text: string }) => {
  const drawn = useSignal<Drawn | undefined>(undefined);
  useEffect(() => {
    void import('lean-qr').then(({ generate }) => {
      const code = generate(text);
      drawn.value = { path: modulesPath(code), size: code.size + 2 * margin };
    });
  }, [text]);
  if (drawn.value === undefined) return <p class="qr quiet">{texts.loading}</p>;
  const { path, size } = drawn.value;
  return (
    <svg class="qr" viewBox={`${-margin} ${-margin} ${size} ${size}`} role="img" aria-label={texts.qr.label}>
      <rect x={-margin} y={-margin} width={size} height={size} />
      <path d={path} />
    </svg>
  );
};
