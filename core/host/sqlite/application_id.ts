/** `EdGh`: what says in the header of a database file whose it is. */
export const APPLICATION_ID = 0x45644768;
