// jrpcheck client --profile mcp --door http -- node mcp-oauth.mjs             npm install @modelcontextprotocol/sdk
// jrpcheck client --profile mcp-2026-07-28 --door http -- node mcp-oauth.mjs  npm install @modelcontextprotocol/client
// A client that is asked for a token: it opens the URL of authorization itself, where another would start a browser.
const library = await import("@modelcontextprotocol/client").catch(async () => ({
  ...(await import("@modelcontextprotocol/sdk/client/index.js")),
  ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
  ...(await import("@modelcontextprotocol/sdk/client/auth.js")),
}));
const { Client, StreamableHTTPClientTransport, UnauthorizedError } = library;
const takesAnswers = "IssuerMismatchError" in library; // and looks who has given them

class Provider {
  redirectUrl = "http://localhost:3000/callback";
  clientMetadata = { client_name: "example", redirect_uris: [this.redirectUrl], application_type: "native" };
  clientMetadataUrl = process.env.CLIENT_METADATA_URL;
  clientInformation = () => this.information ?? this.givenInformation();
  saveClientInformation = (information) => { this.information = information; };
  tokens = () => this.kept;
  saveTokens = (tokens) => { this.kept = tokens; };
  saveCodeVerifier = (verifier) => { this.verifier = verifier; };
  codeVerifier = () => this.verifier;
  state = () => (this.sent = crypto.randomUUID());
  givenInformation() {
    const { JRPCHECK_CLIENT_ID: client_id, JRPCHECK_CLIENT_SECRET: client_secret } = process.env;
    return client_id ? { client_id, client_secret } : undefined;
  }
  async redirectToAuthorization(url) {
    const answer = await fetch(url, { redirect: "manual" });
    this.callback = new URL(answer.headers.get("location")).searchParams;
    // The library leaves that to its user.
    if (this.callback.get("state") !== this.sent) throw new Error("another state");
  }
}

const provider = new Provider();
const url = new URL(process.env.JRPCHECK_URL);
let client, transport;
async function connect() {
  transport = new StreamableHTTPClientTransport(url, { authProvider: provider });
  client = new Client({ name: "example", version: "1" }, { capabilities: {}, versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
}
// What is asked while a code is to be redeemed is asked again.
async function authorized(ask, tries = 2) {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !provider.callback || tries === 0) throw error;
    await transport.finishAuth(takesAnswers ? provider.callback : provider.callback.get("code"));
    return authorized(ask, tries - 1);
  }
}
await authorized(connect);
console.log(JSON.stringify((await authorized(() => client.listTools())).tools.map((tool) => tool.name)));
const call = { name: "echo", arguments: { message: "hi" } };
console.log(JSON.stringify((await authorized(() => client.callTool(call))).content));
console.log(JSON.stringify((await authorized(() => client.listTools())).tools.length));
await client.close();
