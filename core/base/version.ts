/** The version of the kernel's public interface. plugin.json declares the range that a plugin supports. */
export const KERNEL_VERSION = "1.0.0";

/** The version of Edgehelm, equal to that in package.json. */
export const PROGRAM_VERSION = "0.1.0";
