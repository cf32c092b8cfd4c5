/** Name of the one network on the bus of `npm start`. */
export const ns = 'localnet';
