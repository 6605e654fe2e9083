// The REST API of the store on whose page we are.

const store = document.body.dataset.store;

export const base = `/api/v1/stores/${encodeURIComponent(store)}`;

export async function get(path) {
  return answered(await fetch(base + path, { credentials: "same-origin" }));
}

export async function post(path, content) {
  return answered(
    await fetch(base + path, {
      method: "POST",
      credentials: "same-origin",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(content),
    }),
  );
}

// An error's own words are better than its number: they say what to do.
async function answered(response) {
  const content = await response.json().catch(() => null);
  if (response.ok) return content;
  const told = content?.detail ?? content?.message ?? response.statusText;
  throw new Error(typeof told === "string" ? told : JSON.stringify(told));
}
