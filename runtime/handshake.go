package runtime

// SupportsCodeV1 is referred to by generated code. A run time that can't serve code of that generation does not have the
// constant, so that the mismatch is a compile error and not a surprise at run time.
const SupportsCodeV1 = true
