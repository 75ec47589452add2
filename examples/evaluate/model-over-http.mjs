/**
 * A model for evaluate.mjs behind any endpoint that takes chat completions, local or hosted:
 *   MODEL_URL=http://127.0.0.1:8080/v1 MODEL_NAME=name [MODEL_KEY=key] node evaluate.mjs model-over-http.mjs
 */
const { MODEL_URL, MODEL_NAME, MODEL_KEY } = process.env;

/** @returns the move that the model's text holds; one that cannot be read is no move, and the model hears so. */
export async function model({ messages }) {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(MODEL_KEY && { authorization: `Bearer ${MODEL_KEY}` }),
    },
    body: JSON.stringify({ model: MODEL_NAME, messages, temperature: 0 }),
  });
  if (!response.ok) {
    throw new Error(`${response.status}: ${await response.text()}`);
  }
  const { choices } = await response.json();
  const text = choices[0].message.content ?? "";
  try {
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  } catch {
    return {};
  }
}
