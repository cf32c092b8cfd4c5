import { type RequestIssue } from '../errors/invalid-request.js';
import { type Brand, brandedField, brandedFields, namesOfProfile } from './brand.js';

/** Fields by the names that existing client libraries send, with those of the code; none where they are the API's own. */
const foreignFields = (brand: Brand): ReadonlyMap<string, string> => {
  const theirs = namesOfProfile.reference;
  return new Map(
    theirs.coinName === brand.coinName ? [] : brandedFields.map((name) => [brandedField(name, theirs), name]),
  );
};

const adviceFor = (sent: string, own: string): string =>
  `received as ${sent}, its name in existing client libraries: send it as ${own}, or start the node with API_PROFILE=reference (npm start -- --reference), the profile for those libraries`;

/**
 * Makes the function that finds fields that existing client libraries name otherwise in a parsed body, the first of each
 * name. They would be ignored as unknown: an amount that is optional would be left out.
 */
export const foreignNames = (brand: Brand): ((body: unknown) => RequestIssue[]) => {
  const names = foreignFields(brand);
  return (body) => {
    const found = new Map<string, RequestIssue>();
    const search = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null || found.size === names.size) return;
      if (Array.isArray(value)) return value.forEach((item, index) => search(item, `${place}[${index}]`));
      const prefix = place === '' ? '' : `${place}.`;
      for (const [name, inner] of Object.entries(value)) {
        const own = names.get(name);
        if (own === undefined) search(inner, `${prefix}${name}`);
        else if (!found.has(name))
          found.set(name, { part: 'body', field: `${prefix}${own}`, message: adviceFor(name, own) });
      }
    };
    search(body, '');
    return [...found.values()];
  };
};
