import { type Warning, type WarningName } from '../errors/warnings.js';

/** Warnings that a request may suppress (protocol 06 §10.1). The options never change code. */
export const compilerOptionNames = [
  'ignoreUnusedConstantsWarnings',
  'ignoreUnusedVariablesWarnings',
  'ignoreUnusedFieldsWarnings',
  'ignoreUnusedPrivateFunctionsWarnings',
  'ignoreUpdateFieldsCheckWarnings',
  'ignoreCheckExternalCallerWarnings',
] as const;

export type CompilerOptions = { readonly [Name in (typeof compilerOptionNames)[number]]?: boolean | undefined };

/** How a source is compiled. Nothing of it changes code. */
export interface CompileSettings extends CompilerOptions {
  /**
   * A private function of an abstract contract that no child calls is warned about once, as one of the contract that has it;
   * otherwise in each child that does not call it, as one of the child (protocol 06 §6.9).
   */
  readonly warnsOncePerFunction?: boolean;
}

/** The warnings that each option suppresses. */
export const suppressedWarnings: Readonly<Record<keyof CompilerOptions, readonly WarningName[]>> = {
  ignoreUnusedConstantsWarnings: ['unusedConstants'],
  ignoreUnusedVariablesWarnings: ['unusedVariables', 'unusedMaps'],
  ignoreUnusedFieldsWarnings: ['unusedFields'],
  ignoreUnusedPrivateFunctionsWarnings: ['unusedPrivate'],
  ignoreUpdateFieldsCheckWarnings: ['updatesNotEnabled', 'nothingUpdated'],
  ignoreCheckExternalCallerWarnings: ['callerOfPrivate', 'callerNotChecked'],
};

/** The texts of the warnings that no option suppresses. */
export const shownWarnings = (warnings: readonly Warning[], options: CompilerOptions = {}): readonly string[] => {
  const hidden = new Set(compilerOptionNames.flatMap((option) => (options[option] ? suppressedWarnings[option] : [])));
  return warnings.filter(({ name }) => !hidden.has(name)).map(({ text }) => text);
};
