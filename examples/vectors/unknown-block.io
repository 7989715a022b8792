// A block that is not there is null, a method that is not there an error.
>> {"jsonrpc":"2.0","id":1,"method":"eth_getBlockByNumber","params":["0xfffffffffff",false]}
<< {"jsonrpc":"2.0","id":1,"result":null}
>> {"jsonrpc":"2.0","id":2,"method":"eth_nobodysMethod","params":[]}
<< {"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"texts are not compared"}}
>> {"jsonrpc":"2.0","method":"eth_chainId","params":[]}
