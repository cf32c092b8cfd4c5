/** What a non-fungible token says of itself besides its address of description: texts of a stranger. */
export interface NftDescription {
  readonly name?: string;
  readonly description?: string;
  /** An address. */
  readonly image?: string;
  readonly attributes: readonly NftAttribute[];
}

export interface NftAttribute {
  readonly name: string;
  readonly value: string;
}

const mostAttributes = 50;

/** The text that an address of the form `data:` holds (RFC 2397); undefined for another one. */
const dataText = (uri: string): string | undefined => {
  const [, parameters, data] = /^data:([^,]*),(.*)$/s.exec(uri) ?? [];
  if (parameters === undefined || data === undefined) return undefined;
  try {
    if (!/;base64$/i.test(parameters)) return decodeURIComponent(data);
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)));
  } catch {
    return undefined;
  }
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;

const attributeOf = (entry: unknown): NftAttribute[] => {
  const { trait_type: name, value } = (entry ?? {}) as { readonly trait_type?: unknown; readonly value?: unknown };
  const [nameText, valueText] = [textOf(name), textOf(value)];
  return nameText === undefined || valueText === undefined ? [] : [{ name: nameText, value: valueText }];
};

/** The description that an address itself holds as JSON; undefined: it is elsewhere, or no JSON. */
export const describedIn = (uri: string): NftDescription | undefined => {
  const text = dataText(uri);
  if (text === undefined) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const { name, description, image, attributes } = parsed as Readonly<Record<string, unknown>>;
  return {
    name: textOf(name),
    description: textOf(description),
    image: textOf(image),
    attributes: Array.isArray(attributes) ? attributes.slice(0, mostAttributes).flatMap(attributeOf) : [],
  };
};

/** Pictures of points; one of SVG is a document, of a stranger. */
const pictureData = /^data:image\/(png|jpeg|gif|webp|avif)[;,]/i;

/**
 * The address of a picture that this page may show: in the token itself, or at this origin. Its policy allows no other
 * (protocol 08 §9).
 * @param base address of this page
 */
export const allowedPicture = (image: string, base: string): string | undefined => {
  if (pictureData.test(image)) return image;
  const url = /^https?:/i.test(image) && URL.canParse(image) ? new URL(image) : undefined;
  return url?.origin === new URL(base).origin ? url.href : undefined;
};
