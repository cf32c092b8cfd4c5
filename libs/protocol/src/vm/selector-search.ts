import { instructionByCode } from '../script/index.js';
import { type ContractObject } from './code-object.js';
import { fail } from './failure.js';

const gasPerMethod = 8;

const selectorCode = instructionByCode.findIndex((definition) => definition?.name === 'MethodSelector');

/** The selector of a method: that of its first instruction, if the method is public (protocol 05 §6.10). */
const selectorOf = ({ isPublic, instructions }: ContractObject['methods'][number]): number | undefined => {
  const first = instructions[0];
  return isPublic && first?.code === selectorCode ? (first.operand as number) : undefined;
};

/**
 * Index of the method that a call by selector means (protocol 05 §6.10). Continues where the last search in this code
 * object stopped; `charge` takes the gas of the methods passed. Methods passed by earlier searches are found without
 * gas.
 */
export const findMethodBySelector = (
  { code: { selectors }, methods }: ContractObject,
  selector: number,
  charge: (gas: number) => void,
): number => {
  const known = selectors.found.get(selector);
  if (known !== undefined) return known;
  const start = selectors.position;
  for (let index = start + 1; index < methods.length; index++) {
    const passed = selectorOf(methods[index]!);
    if (passed === undefined) continue;
    selectors.found.set(passed, index);
    if (passed !== selector) continue;
    selectors.position = index;
    charge(gasPerMethod * (index - start));
    return index;
  }
  selectors.position = methods.length;
  return fail('InvalidMethodSelector', selector);
};
