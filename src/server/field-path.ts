const PLAIN = /^[A-Za-z_$][\w$]*$/;

/** The path of a parameter as a person writes it: `parts[0].text`. The parameters as a whole are `params`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (!PLAIN.test(String(key))) text += `[${JSON.stringify(String(key))}]`;
    else text += text === "" ? String(key) : `.${String(key)}`;
  }
  return text === "" ? "params" : text;
}
