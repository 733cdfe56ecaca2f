/** `EdGh`: the SQLite application id that marks the database files of Edgehelm. */
export const APPLICATION_ID = 0x45644768;
