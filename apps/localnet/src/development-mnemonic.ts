/** Of the development network (protocol 00, decision 22): its indexes 0, 3, 1, 2 are the allocations of groups 0 to 3. */
export const developmentMnemonic =
  'vault alarm sad mass witness property virus style good flower rice alpha viable evidence run glare pretty scout evil judge enroll refuse another lava';
