import { filled, type ValuesOf } from './text-values.js';

/** The warnings of a source that compiles, W1 to W11 (protocol 06 §11.3): name and text, with `{name}` as in the rules. */
export const warningTexts = {
  immutableStruct: 'The struct {struct} is immutable, you can remove the `mut` from {name}',
  unusedVariables: 'Found unused variables in {entity}: {names}',
  unusedMaps: 'Found unused maps in {entity}: {names}',
  unusedConstants: 'Found unused constants in {entity}: {names}',
  unusedFields: 'Found unused fields in {entity}: {names}',
  unusedResults:
    'The return values of the function "{name}" are not used. If this is intentional, consider using anonymous variables to suppress this warning.',
  callerOfPrivate: 'No need to add the checkExternalCaller annotation to the private function "{name}"',
  unusedPrivate: 'Private function "{name}" is not used',
  updatesNotEnabled: 'Function "{name}" updates fields. Please use "@using(updateFields = true)" for the function.',
  nothingUpdated:
    'Function "{name}" does not update fields. Please remove "@using(updateFields = true)" for the function.',
  callerNotChecked:
    'No external caller check for function "{name}". Please use "checkCaller!(...)" in the function or its callees, or disable it with "@using(checkExternalCaller = false)".',
} as const;

export type WarningName = keyof typeof warningTexts;

export interface Warning {
  readonly name: WarningName;
  readonly text: string;
}

/** A warning with the values that its text names. */
export const warning = <Name extends WarningName>(
  name: Name,
  ...[values]: ValuesOf<(typeof warningTexts)[Name]>
): Warning => ({ name, text: filled(warningTexts[name], values) });
