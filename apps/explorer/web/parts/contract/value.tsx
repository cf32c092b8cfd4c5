import { type Val } from '../../store/contract-forms.js';
import { texts } from '../../texts.js';
import { fullAmount } from '../attocoins.js';
import { AddressLink, ends } from '../links.js';
import { readableText } from '../plain-text.js';

const Bytes = ({ hex }: { readonly hex: string }) => {
  if (hex === '') return <span class="quiet">{texts.contract.empty}</span>;
  const text = readableText(hex);
  return text === undefined ? (
    <span class="id" title={hex}>
      {ends(hex, 12, 10)}
    </span>
  ) : (
    <span title={hex}>
      “<bdi>{text}</bdi>”
    </span>
  );
};

const longestNumber = 34;

const Digits = ({ digits }: { readonly digits: string }) => {
  const text = fullAmount(BigInt(digits), 0);
  return (
    <span class="digits" title={text}>
      {ends(text, longestNumber / 2, longestNumber / 2)}
    </span>
  );
};

/** A value of the machine, as people read it. */
export const ValueText = ({ val }: { readonly val: Val }) => {
  switch (val.type) {
    case 'Bool':
      return <>{String(val.value)}</>;
    case 'Address':
      return <AddressLink id={val.value} first={8} last={6} />;
    case 'ByteVec':
      return <Bytes hex={val.value} />;
    default:
      return <Digits digits={val.value} />;
  }
};
