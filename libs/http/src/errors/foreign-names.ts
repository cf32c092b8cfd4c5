import { type RequestIssue } from './invalid-request.js';
import { type Brand, brandedField, brandedFields, namesOfProfile } from '../brand/brand.js';

type Profile = keyof typeof namesOfProfile;

/** Advice for a field that came by its name of a profile. `{Coin}` and `own` become the names of this API. */
const advice: Readonly<Record<Profile, (sent: string, own: string) => string>> = {
  // Without the name as it was sent, which texts show as that of this API.
  document: (_sent, own) =>
    `received with ${namesOfProfile.document.coinName} in its name, which is {Coin} here: send it as ${own}`,
  reference: (sent, own) =>
    `received as ${sent}, its name in existing client libraries: send it as ${own}, or start the node with API_PROFILE=reference (npm start -- --reference), the profile for those libraries`,
};

const profiles = Object.keys(advice) as Profile[];

interface ForeignName {
  /** The field by its name in the code. */
  readonly own: string;
  readonly message: string;
}

/** All fields by the names of the profiles whose coin has another name than this one. */
const foreignFields = (brand: Brand): ReadonlyMap<string, ForeignName> =>
  new Map(
    profiles
      .filter((profile) => namesOfProfile[profile].coinName !== brand.coinName)
      .flatMap((profile) =>
        brandedFields.map((own): [string, ForeignName] => {
          const sent = brandedField(own, namesOfProfile[profile]);
          return [sent, { own, message: advice[profile](sent, own) }];
        }),
      ),
  );

/** Characters of a place that is searched: no field of this API is deeper, and names in a body have any length. */
const longestPlace = 200;

/**
 * Makes the function that finds fields in a parsed body that this API names otherwise, the first of each name. They would
 * be ignored as unknown: an amount that is optional would be left out.
 */
export const foreignNames = (brand: Brand): ((body: unknown) => RequestIssue[]) => {
  const names = foreignFields(brand);
  return (body) => {
    const found = new Map<string, RequestIssue>();
    const search = (value: unknown, place: string): void => {
      if (typeof value !== 'object' || value === null || place.length > longestPlace) return;
      if (Array.isArray(value)) return value.forEach((item, index) => search(item, `${place}[${index}]`));
      const prefix = place === '' ? '' : `${place}.`;
      for (const [name, inner] of Object.entries(value)) {
        const foreign = names.get(name);
        if (foreign === undefined) search(inner, `${prefix}${name}`);
        else if (!found.has(name))
          found.set(name, { part: 'body', field: `${prefix}${foreign.own}`, message: foreign.message });
      }
    };
    search(body, '');
    return [...found.values()];
  };
};
