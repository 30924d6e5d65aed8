package main

// privateUmask does nothing: a socket file inherits the rights of its folder.
func privateUmask() (restore func()) { return func() {} }
