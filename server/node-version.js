// Comparing versions of Node, in plain JavaScript: this is asked by a Node that may be too old for TypeScript.

/** Whether `version` ("v20.19.2") is before `minimum` ("24.11"). */
export function isOlder(version, minimum) {
  const [major, minor] = numbers(version)
  const [neededMajor, neededMinor] = numbers(minimum)
  return major < neededMajor || (major === neededMajor && minor < neededMinor)
}

const numbers = (version) => version.replace(/^v/, '').split('.').map(Number)
