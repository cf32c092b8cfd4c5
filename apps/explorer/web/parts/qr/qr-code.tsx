import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { texts } from '../../texts.js';
import { saveFile } from '../save-file.js';
import { modulesPath, quietZone, svgFile } from './path.js';

interface Drawn {
  readonly path: string;
  /** Modules of a side, the quiet zone counted. */
  readonly size: number;
}

/** A text as a QR code, dark on light in each theme: not all readers take the other. Its maker is read when one is shown. */
export const QrCode = ({ text }: { readonly text: string }) => {
  const drawn = useSignal<Drawn | undefined>(undefined);
  useEffect(() => {
    void import('lean-qr').then(({ generate }) => {
      const code = generate(text);
      drawn.value = { path: modulesPath(code), size: code.size + 2 * quietZone };
    });
  }, [text]);
  if (drawn.value === undefined) return <p class="qr quiet">{texts.loading}</p>;
  const { path, size } = drawn.value;
  const save = (): void => saveFile(new Blob([svgFile(path, size)], { type: 'image/svg+xml' }), `${text}.svg`);
  return (
    <>
      <svg class="qr" viewBox={`${-quietZone} ${-quietZone} ${size} ${size}`} role="img" aria-label={texts.qr.label}>
        <rect x={-quietZone} y={-quietZone} width={size} height={size} />
        <path d={path} />
      </svg>
      <button type="button" class="button small" onClick={save}>
        {texts.qr.save}
      </button>
    </>
  );
};
