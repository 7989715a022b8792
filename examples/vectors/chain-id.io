// The id of a chain, whichever it is, and twice.
// speconly: it is another on every chain
>> {"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}
<< {"jsonrpc":"2.0","id":1,"result":"0x1"}
>> {"jsonrpc":"2.0","id":2,"method":"eth_chainId"}
<< {"jsonrpc":"2.0","id":2,"result":"0x1"}
