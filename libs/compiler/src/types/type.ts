import { listText } from '../errors/list-text.js';
import { type Span } from '../errors/span.js';
import { isPrimitiveName, type PrimitiveName } from '../lexer/names.js';
import { type TypeNode } from '../parser/syntax-tree.js';

/** The type of a value (protocol 06 §4.1). */
export type Type =
  | { readonly kind: 'primitive'; readonly name: PrimitiveName }
  | { readonly kind: 'array'; readonly element: Type; readonly size: number; readonly node: TypeNode | undefined }
  | { readonly kind: 'struct'; readonly name: string }
  /** `span`: where its errors are shown; no part of its identity. */
  | { readonly kind: 'contract'; readonly name: string; readonly span: Span }
  | { readonly kind: 'map'; readonly key: Type; readonly value: Type }
  /** The result of `panic!`. */
  | { readonly kind: 'never' };

export type TypeOf<Kind extends Type['kind']> = Extract<Type, { readonly kind: Kind }>;

export const primitive = (name: PrimitiveName): TypeOf<'primitive'> => ({ kind: 'primitive', name });
export const bool: Type = primitive('Bool');
export const byteVec: Type = primitive('ByteVec');
export const address: Type = primitive('Address');
export const never: Type = { kind: 'never' };

export const isPrimitive = (type: Type | undefined, name: PrimitiveName): boolean =>
  type?.kind === 'primitive' && type.name === name;

/** Whether the list is that one primitive type. */
export const isOnly = (types: readonly Type[], name: PrimitiveName): boolean =>
  types.length === 1 && isPrimitive(types[0], name);

/** Same kind, same parts (protocol 06 §4.1). */
export const sameType = (a: Type, b: Type): boolean => {
  switch (a.kind) {
    case 'primitive':
    case 'struct':
    case 'contract':
      return b.kind === a.kind && a.name === b.name;
    case 'array':
      return b.kind === 'array' && a.size === b.size && sameType(a.element, b.element);
    case 'map':
      return b.kind === 'map' && sameType(a.key, b.key) && sameType(a.value, b.value);
    case 'never':
      return b.kind === 'never';
  }
};

export const sameTypes = (a: readonly Type[], b: readonly Type[]): boolean =>
  a.length === b.length && a.every((type, index) => sameType(type, b[index]!));

const textWith =
  (array: (element: string, size: number) => string) =>
  (type: Type): string => {
    const text = textWith(array);
    switch (type.kind) {
      case 'primitive':
      case 'struct':
      case 'contract':
        return type.name;
      case 'array':
        return array(text(type.element), type.size);
      case 'map':
        return `Map[${text(type.key)},${text(type.value)}]`;
      case 'never':
        return 'Panic';
    }
  };

/** As results show it: `[T;n]` (protocol 06 §4.3). */
export const signatureText = textWith((element, size) => `[${element};${size}]`);
/** As most errors show it: `FixedSizeArray(T,n)`. */
export const messageText = textWith((element, size) => `FixedSizeArray(${element},${size})`);

export const typesText = (types: readonly Type[]): string => listText(types, messageText);
/** One type bare, several as a list. */
export const oneOrListText = (types: readonly Type[]): string =>
  types.length === 1 ? messageText(types[0]!) : typesText(types);

/** The declared text of a written type: `NamedType(TypeId(<Name>))` for structs and contracts (protocol 06 §4.3). */
export const declaredText = (node: TypeNode): string => {
  if (node.kind === 'array') return `FixedSizeArray(${declaredText(node.element)},${node.size})`;
  return isPrimitiveName(node.name) ? node.name : `NamedType(TypeId(${node.name}))`;
};

/** Whether two written types are the same: names stand for one type in the whole project. */
export const sameTypeNode = (a: TypeNode, b: TypeNode): boolean =>
  a.kind === 'array'
    ? b.kind === 'array' && a.size === b.size && sameTypeNode(a.element, b.element)
    : b.kind === 'named' && a.name === b.name;
