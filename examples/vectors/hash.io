// Keccak-256 of "hello": the same on every node.
>> {"jsonrpc":"2.0","id":"hash","method":"web3_sha3","params":["0x68656c6c6f"]}
<< {"jsonrpc":"2.0","id":"hash","result":"0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8"}
