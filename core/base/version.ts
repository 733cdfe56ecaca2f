/** The version of the kernel's public interface; plugin.json names the range that a plugin works with. */
export const KERNEL_VERSION = "1.0.0";

/** The version of the program, as package.json has it. */
export const PROGRAM_VERSION = "0.1.0";
