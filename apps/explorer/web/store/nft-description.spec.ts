import { expect, it } from '@jest/globals';
import { allowedPicture, describedIn } from './nft-description.js';

const json = {
  name: 'Cat 7',
  description: 'A cat.',
  image: 'https://example.com/7.png',
  attributes: [{ trait_type: 'fur', value: 'red' }, { trait_type: 'lives', value: 9 }, { value: 'no name' }, null, 'x'],
};
const described = {
  name: 'Cat 7',
  description: 'A cat.',
  image: 'https://example.com/7.png',
  attributes: [
    { name: 'fur', value: 'red' },
    { name: 'lives', value: '9' },
  ],
};

it('reads a description that the address itself holds', () => {
  const text = JSON.stringify(json);
  expect(describedIn(`data:application/json,${encodeURIComponent(text)}`)).toEqual(described);
  expect(describedIn(`data:application/json;utf8,${text}`)).toEqual(described);
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify({ ...json, name: 'Кот 🐈' }))));
  expect(describedIn(`data:application/json;base64,${base64}`)).toEqual({ ...described, name: 'Кот 🐈' });
});

it('takes nothing from an address that holds none, and is stopped by none', () => {
  for (const uri of [
    '',
    'https://example.com/7.json',
    'data:application/json',
    'data:application/json,{',
    'data:application/json,null',
    'data:application/json,%',
    'data:application/json;base64,!!',
    'data:application/json;base64,/w==',
    'data:image/png;base64,iVBORw0KGgo=',
  ])
    expect([uri, describedIn(uri)]).toEqual([uri, undefined]);
  const odd = { name: {}, description: [], image: null, attributes: { length: 1 } };
  expect(describedIn(`data:,${JSON.stringify(odd)}`)).toEqual({ attributes: [] });
  const many = Array.from({ length: 1_000 }, (_, i) => ({ trait_type: i, value: i }));
  expect(describedIn(`data:,${JSON.stringify({ attributes: many })}`)?.attributes).toHaveLength(50);
});

it('shows pictures that are in the token or at this origin, and no documents', () => {
  const base = 'https://explorer.example:8443/below/';
  const picture = 'data:image/png;base64,iVBORw0KGgo=';
  expect(allowedPicture(picture, base)).toBe(picture);
  expect(allowedPicture('https://explorer.example:8443/7.png', base)).toBe('https://explorer.example:8443/7.png');
  for (const refused of [
    'https://explorer.example/7.png',
    'https://other.example/7.png',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'data:text/html,<script>alert(1)</script>',
    'javascript:alert(1)',
    'ipfs://bafy/7.png',
    '7.png',
    'https://',
    '',
  ])
    expect([refused, allowedPicture(refused, base)]).toEqual([refused, undefined]);
});
